// What goes with a mail as evidence, redacted as it is sent.

import { Paperclip } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { messages } from './messages.ts'

export interface EvidenceFile {
  readonly file_name: string
  readonly text: string
}

export function EvidenceFiles({ files }: { readonly files: readonly EvidenceFile[] }) {
  const t = useText(messages)
  return (
    <>
      {files.map(({ file_name: name, text }) => {
        const removed = text.split('[removed]').length - 1
        return (
          <details key={name} className="evidence">
            <summary>
              <Paperclip size={14} aria-hidden />
              <span className="cut mono">{name}</span>
              <span className="dim small">{t('removed_count', { count: removed })}</span>
            </summary>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
            <pre className="evidence-text" tabIndex={0}>
              {text.split('[removed]').map((part, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a part is its place
                <span key={index}>
                  {index > 0 && <mark className="removed">{t('removed')}</mark>}
                  {part}
                </span>
              ))}
            </pre>
          </details>
        )
      })}
    </>
  )
}
