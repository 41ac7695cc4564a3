// Notes beside an answer that is not whole, or not fresh.

import { Button } from '@mantine/core'
import { CloudOff, History } from 'lucide-react'
import { useHasMissed } from '../data/live.ts'
import { useFormat } from '../messages/use-format.ts'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'
import { useNow } from './since.tsx'

/** The rest of the answer is complete; `parts` names what is missing, in words. */
export function Partial({ parts }: { readonly parts?: readonly string[] }) {
  const t = useText(messages)
  return (
    <div className="note" data-tone="amber" role="status">
      <CloudOff size={16} aria-hidden />
      <span>
        {parts === undefined ? t('partial') : t('partial_parts', { parts: parts.join(', ') })}
      </span>
    </div>
  )
}

export interface StaleProps {
  /** `dataUpdatedAt` of the query. */
  readonly loadedAtMs: number
  readonly onRefresh: () => void
}

// Younger answers are fresh enough to say nothing.
const FRESH_MS = 5 * 60_000

/** Shows itself once the answer is old. */
export function Stale({ loadedAtMs, onRefresh }: StaleProps) {
  const t = useText(messages)
  const format = useFormat()
  const nowMs = useNow()
  if (loadedAtMs === 0 || nowMs - loadedAtMs < FRESH_MS) return null
  return (
    <div className="note" data-tone="grey" role="status">
      <History size={16} aria-hidden />
      <span>{t('stale', { ago: format.relative(new Date(loadedAtMs), nowMs) })}</span>
      <Button variant="subtle" onClick={onRefresh}>
        {t('refresh')}
      </Button>
    </div>
  )
}

export interface NewRowsProps {
  readonly count: number
  /** Of the list; 0 while it is on its way. */
  readonly loadedAtMs: number
  readonly onLoad: () => void
}

/** "3 new" above a list, which stays where it is until somebody presses it. */
export function NewRows({ count, loadedAtMs, onLoad }: NewRowsProps) {
  const t = useText(messages)
  const hasMissed = useHasMissed(loadedAtMs)
  return (
    <div role="status" className="new-rows">
      {(count > 0 || hasMissed) && (
        <Button variant="light" onClick={onLoad}>
          {hasMissed ? t('rows_missed') : t('new_rows', { count })}
        </Button>
      )}
    </div>
  )
}
