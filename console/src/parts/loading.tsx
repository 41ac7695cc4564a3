// The place of content that is on its way: grey lines, shown after a tenth of a second so that a fast
// answer does not flicker.

import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

export function Loading({ lines = 6 }: { readonly lines?: number }) {
  const t = useText(messages)
  return (
    <div className="loading" role="status">
      <span className="hidden-text">{t('loading')}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span
          key={index}
          className="loading-line"
          style={{ width: `${92 - ((index * 37) % 50)}%` }}
        />
      ))}
    </div>
  )
}
