// A comment for the desk, or the way to a mail to somebody outside. A half-written comment survives
// a reload.

import { Button, Textarea } from '@mantine/core'
import { Mail } from 'lucide-react'
import type { RefObject } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { useDraft } from '../../parts/use-draft.ts'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import type { CaseDetail } from './data.ts'
import { messages } from './messages.ts'

export interface ComposerProps {
  readonly detail: CaseDetail
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly onMail: () => void
}

export function Composer({ detail, field, onMail }: ComposerProps) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const mayWrite = useMay('cases:write')
  const maySend = useMay('notices:send')
  const [text, setText] = useDraft(`comment ${detail.id}`)
  const act = useAct<string, unknown>({
    act: (words) =>
      casework.post('/beta/casework/cases/{caseId}/comments', {
        params: { path: { caseId: detail.id } },
        body: { text: words },
      }),
    touches: () => [['cases', detail.id]],
    say: () => ts('said_comment'),
    // What was written while it was sent is not sent yet.
    onDone: (_result, words) => setText(textAfter(text, words)),
  })
  const send = (): void => {
    if (text.trim() !== '' && !act.isPending) act.mutate(text.trim())
  }
  useKeys(
    t('comment'),
    mayWrite
      ? [
          {
            keys: 'mod+Enter',
            title: t('key_send'),
            run: () => {
              // Not from another field or a dialog, where a half-written comment is out of sight.
              if (document.activeElement === field.current) send()
            },
          },
        ]
      : [],
  )
  if (!mayWrite && !maySend) return null
  return (
    <div className="composer">
      {mayWrite && (
        <Textarea
          ref={field}
          aria-label={t('comment')}
          placeholder={t('comment_hint')}
          autosize
          minRows={1}
          maxRows={10}
          maxLength={10_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
      )}
      <div className="composer-acts">
        <span className="dim small composer-note">
          {text === '' ? t('comment_internal') : t('draft_kept')}
        </span>
        {maySend && (
          <Button variant="default" leftSection={<Mail size={14} aria-hidden />} onClick={onMail}>
            {t('act_mail')}
          </Button>
        )}
        {mayWrite && (
          <Button disabled={text.trim() === ''} loading={act.isPending} onClick={send}>
            {t('comment')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** What of the text is left when the words, with which it began, were sent. */
function textAfter(text: string, words: string): string {
  const written = text.trimStart()
  return written.startsWith(words) ? written.slice(words.length).trimStart() : text
}
