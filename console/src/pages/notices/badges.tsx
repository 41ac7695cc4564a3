// The state of a notice: colour, icon and word.

import { Ban, CircleCheck, Clock, Pause, TriangleAlert, Undo2 } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import type { Notice } from './data.ts'
import { messages } from './messages.ts'

const STATES = {
  waiting: ['blue', Clock],
  sent: ['green', CircleCheck],
  bounced: ['red', Undo2],
  held: ['amber', Pause],
  failed: ['red', TriangleAlert],
  suppressed: ['grey', Ban],
} as const

export function NoticeStateBadge({ state }: { readonly state: Notice['state'] }) {
  const t = useText(messages)
  const [tone, icon] = STATES[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state_${state}`)}
    </Badge>
  )
}
