// A text that is no item: what would be one, and the search for it in everything else.

import type { CaseworkError } from 'casework/client'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { messages } from './messages.ts'

interface UnreadableProps {
  readonly text: string
  readonly error: CaseworkError
}

export function Unreadable({ text, error }: UnreadableProps) {
  const t = useText(messages)
  return (
    <EmptyState
      title={t('unreadable', { text })}
      text={
        <>
          {t('unreadable_why')}
          <br />
          <span lang="en" className="small">
            {error.message}
          </span>
        </>
      }
    >
      <PathLink path={`/search?q=${encodeURIComponent(text)}`} className="text-link">
        {t('search_instead')}
      </PathLink>
    </EmptyState>
  )
}
