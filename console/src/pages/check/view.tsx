// The check of many items: paste or drop, then a table.

import './check.css'
import { Button, Textarea } from '@mantine/core'
import { FileText, Upload, X } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { LookupNav } from '../../parts/lookup-nav.tsx'
import { Page } from '../../parts/page.tsx'
import { showToast } from '../../parts/toasts.ts'
import { useDraft } from '../../parts/use-draft.ts'
import { messages } from './messages.ts'
import { Results } from './results.tsx'
import { useCheck } from './use-check.ts'

interface PastedFile {
  readonly name: string
  readonly text: string
}

// A text of a hundred thousand long log lines; more is for the command line.
const FILE_BYTES_MAX = 20_000_000

export function CheckView() {
  const t = useText(messages)
  const [text, setText] = useDraft('check')
  const [file, setFile] = useState<PastedFile | null>(null)
  const [isOver, setOver] = useState(false)
  const { check, start, stop, clear } = useCheck()
  const area = useRef<HTMLTextAreaElement>(null)
  const run = (): void => start(file?.text ?? text)
  // What was pasted into the search box is checked at once.
  const pasted = useRef(text)
  useEffect(() => {
    if (pasted.current.trim() !== '') start(pasted.current)
  }, [start])
  const take = async (files: FileList | null): Promise<void> => {
    const [first] = files ?? []
    if (first === undefined) return
    if (first.size > FILE_BYTES_MAX) {
      showToast({ kind: 'failure', text: t('file_too_large') })
      return
    }
    // A folder is dropped like a file, and a file may be gone or locked.
    const read = await first.text().catch(() => null)
    if (read === null) {
      showToast({ kind: 'failure', text: t('file_unreadable') })
      return
    }
    setFile({ name: first.name, text: read })
    start(read)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files)
  }
  const empty = (): void => {
    setFile(null)
    setText('')
    clear()
    area.current?.focus()
  }
  useKeys(t('title'), [{ keys: 'mod+Enter', title: t('check'), run }])
  const hasText = file !== null || text.trim() !== ''
  return (
    <Page title={t('title')} lede={t('lede')} acts={<LookupNav />} isFull={check !== null}>
      <div
        className="check-input"
        data-over={isOver ? '' : undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {file === null ? (
          <Textarea
            ref={area}
            aria-label={t('items')}
            placeholder={t('hint')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              run()
            }}
            rows={check === null ? 12 : 4}
            spellCheck={false}
            classNames={{ input: 'mono' }}
          />
        ) : (
          <FileChip file={file} onRemove={empty} />
        )}
        <div className="check-acts">
          <Button onClick={run} disabled={!hasText}>
            {t('check')}
          </Button>
          <FileButton onFiles={(files) => void take(files)} />
          {hasText && (
            <Button variant="subtle" color="gray" onClick={empty}>
              {t('clear')}
            </Button>
          )}
          <span className="dim small only-wide">{t('keys')}</span>
        </div>
      </div>
      {check !== null && <Results check={check} onStop={stop} onRetry={run} />}
    </Page>
  )
}

interface FileChipProps {
  readonly file: PastedFile
  readonly onRemove: () => void
}

function FileChip({ file, onRemove }: FileChipProps) {
  const t = useText(messages)
  return (
    <span className="chip check-file">
      <span className="chip-words">
        <FileText size={16} aria-hidden />
        <span className="cut">{file.name}</span>
      </span>
      <button
        type="button"
        className="chip-close"
        aria-label={t('remove_file', { name: file.name })}
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </span>
  )
}

function FileButton({ onFiles }: { readonly onFiles: (files: FileList | null) => void }) {
  const t = useText(messages)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="default"
        leftSection={<Upload size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t('choose_file')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('choose_file')}
        accept=".txt,.csv,.log,.json,.ndjson,text/*"
        onChange={(event) => {
          onFiles(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
