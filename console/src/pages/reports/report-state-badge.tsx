// The state of a report: colour, icon and word.

import { CircleCheck, CircleSlash, Hourglass, TriangleAlert } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import type { Report } from './data.ts'
import { messages } from './messages.ts'

const STATES = {
  accepted: ['green', CircleCheck],
  quarantined: ['amber', TriangleAlert],
  rejected: ['grey', CircleSlash],
  unread: ['blue', Hourglass],
} as const

export function ReportStateBadge({
  report,
}: {
  readonly report: Pick<Report, 'state' | 'unread'>
}) {
  const t = useText(messages)
  const word = report.unread === true ? 'unread' : report.state
  const [tone, icon] = STATES[word]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state_${word}`)}
    </Badge>
  )
}
