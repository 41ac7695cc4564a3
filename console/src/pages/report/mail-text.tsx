// The report as text. What a stranger wrote stays text: no HTML, no image, no link. The words by
// which values were found are marked; a press on one shows what was read there.

import { Button } from '@mantine/core'
import { ChevronRight, Paperclip } from 'lucide-react'
import { memo, useState } from 'react'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import type { ReportReading } from './data.ts'
import {
  collectMarks,
  cutLine,
  type FindingKey,
  isSameKey,
  markId,
  nameLine,
} from './marked-lines.ts'
import { messages } from './messages.ts'
import { useFieldName } from './use-field-name.ts'

export interface MailTextProps {
  readonly reading: ReportReading
  readonly chosen: FindingKey | null
  readonly onChoose: (key: FindingKey) => void
}

const SHOWN_HEADERS = new Set(['from', 'to', 'subject', 'date', 'reply-to'])

export function MailText({ reading, chosen, onChoose }: MailTextProps) {
  const t = useText(messages)
  const { headers, texts, attachments } = reading
  const marks = collectMarks(reading.events)
  const line = (of: 'header' | 'text', at: number, index: number, text: string) => (
    <Line
      text={text}
      marks={marks.get(nameLine(of, at, index))}
      reading={reading}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
  const listed = headers.map((header, at) => ({ ...header, at }))
  const first = listed.filter(({ name }) => SHOWN_HEADERS.has(name))
  const rest = listed.filter(({ name }) => !SHOWN_HEADERS.has(name))
  const isMarked = rest.some(({ at }) => marks.has(nameLine('header', at, 0)))
  return (
    <div className="stack">
      {first.length > 0 && (
        <dl className="mail-headers">
          {first.map(({ name, value, at }) => (
            <HeaderRow key={at} name={name}>
              {line('header', at, 0, value)}
            </HeaderRow>
          ))}
        </dl>
      )}
      {rest.length > 0 && (
        <details className="fold" open={isMarked ? true : undefined}>
          <summary>
            <ChevronRight size={16} aria-hidden />
            {t('more_headers', { count: rest.length })}
          </summary>
          <dl className="mail-headers mono small">
            {rest.map(({ name, value, at }) => (
              <HeaderRow key={at} name={name}>
                {line('header', at, 0, value)}
              </HeaderRow>
            ))}
          </dl>
        </details>
      )}
      {texts.map((text, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a text is its position
        <TextPart key={at} text={text} isOnly={texts.length === 1}>
          {(index, words) => line('text', at, index, words)}
        </TextPart>
      ))}
      {texts.length === 0 && <p className="dim">{t('no_text')}</p>}
      {attachments.length > 0 && <Attachments attachments={attachments} />}
    </div>
  )
}

function HeaderRow({
  name,
  children,
}: {
  readonly name: string
  readonly children: React.ReactNode
}) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

interface LineProps extends MailTextProps {
  readonly text: string
  readonly marks: Parameters<typeof cutLine>[1]
}

const Line = memo(function Line({ text, marks, reading, chosen, onChoose }: LineProps) {
  const nameField = useFieldName()
  if (marks === undefined) return <>{text}</>
  return (
    <>
      {cutLine(text, marks).map(({ text: words, key }, index) => {
        // oxlint-disable-next-line react/no-array-index-key -- a piece is its place
        if (key === null) return <span key={index}>{words}</span>
        const { field = '' } = reading.events[key.event]?.findings[key.finding] ?? {}
        return (
          <mark
            // oxlint-disable-next-line react/no-array-index-key -- a piece is its place
            key={index}
            id={markId(key)}
            className="mail-mark"
            data-chosen={isSameKey(key, chosen) ? '' : undefined}
            title={nameField(field)}
          >
            <button type="button" className="mail-mark-button" onClick={() => onChoose(key)}>
              {words}
              <span className="hidden-text">{` (${nameField(field)})`}</span>
            </button>
          </mark>
        )
      })}
    </>
  )
})

// A screen and a half; longer ones are opened.
const LINES_SHOWN = 120

interface TextPartProps {
  readonly text: ReportReading['texts'][number]
  readonly isOnly: boolean
  readonly children: (index: number, text: string) => React.ReactNode
}

function TextPart({ text: { part, lines, cut }, isOnly, children }: TextPartProps) {
  const t = useText(messages)
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? lines : lines.slice(0, LINES_SHOWN)
  return (
    <section aria-label={part} className="mail-part">
      {(!isOnly || part !== 'text') && <h3 className="mail-part-name">{part}</h3>}
      <div className="mail-lines mono">
        {shown.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line is its number
          <div key={index} className="mail-line">
            {line === '' ? '\u200B' : children(index, line)}
          </div>
        ))}
      </div>
      {!isWhole && lines.length > LINES_SHOWN && (
        <Button variant="default" onClick={() => setWhole(true)}>
          {t('all_lines', { count: lines.length })}
        </Button>
      )}
      {cut && <p className="dim small">{t('text_cut')}</p>}
    </section>
  )
}

function Attachments({ attachments }: Pick<ReportReading, 'attachments'>) {
  const t = useText(messages)
  const format = useFormat()
  return (
    <section aria-label={t('attachments')}>
      <h3 className="mail-part-name">{t('attachments')}</h3>
      <ul className="attachments">
        {attachments.map(({ path, file_name: name, media_type: type, byte_length: length }) => (
          <li key={path} className="row-of">
            <Paperclip size={16} aria-hidden className="dim" />
            <span className="cut">{name ?? t('unnamed')}</span>
            <span className="dim small">
              {type} · {t('bytes', { size: format.number(Math.ceil(length / 1_024)) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
