// The bar at the bottom while cases are selected: what can be done with all of them.

import { Button } from '@mantine/core'
import { X } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { messages } from './messages.ts'
import type { ActKind } from './shared/act-kinds.ts'
import { messages as sharedMessages } from './shared/messages.ts'
import { ACT_CASES_MAX } from './shared/use-change-cases.ts'

export interface BulkBarProps {
  readonly count: number
  readonly onAct: (kind: ActKind | 'merge') => void
  readonly onClear: () => void
}

export function BulkBar({ count, onAct, onClear }: BulkBarProps) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const mayWrite = useMay('cases:write')
  const mayMove = useMay('cases:transition')
  const mayMerge = useMay('cases:merge')
  if (count === 0) return null
  const isTooMany = count > ACT_CASES_MAX
  const acts: readonly (ActKind | 'merge')[] = [
    ...(mayWrite ? (['assign'] as const) : []),
    ...(mayWrite && mayMove ? (['state'] as const) : []),
    ...(mayWrite ? (['severity', 'tags', 'comment'] as const) : []),
    ...(mayMerge && count > 1 ? (['merge'] as const) : []),
  ]
  return (
    <section className="bulk" aria-label={t('selected', { count })}>
      <strong className="bulk-count">{t('selected', { count })}</strong>
      {isTooMany && <span className="dim">{t('too_many', { count: ACT_CASES_MAX })}</span>}
      <div className="bulk-acts">
        {acts.map((kind) => (
          <Button key={kind} variant="default" disabled={isTooMany} onClick={() => onAct(kind)}>
            {ts(kind)}
          </Button>
        ))}
      </div>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<X size={16} aria-hidden />}
        onClick={onClear}
      >
        {t('clear')}
      </Button>
    </section>
  )
}
