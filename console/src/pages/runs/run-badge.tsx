// The state of a run in colour, icon and word.

import { Ban, CircleAlert, CircleCheck, CirclePause, CirclePlay } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import type { RunOfCase } from './data.ts'
import { messages } from './messages.ts'

const LOOKS = {
  active: ['violet', CirclePlay],
  paused: ['amber', CirclePause],
  ended: ['green', CircleCheck],
  failed: ['red', CircleAlert],
  cancelled: ['grey', Ban],
} as const

export function RunBadge({ state }: { readonly state: RunOfCase['state'] }) {
  const t = useText(messages)
  const [tone, icon] = LOOKS[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state_${state}`)}
    </Badge>
  )
}

const PARTIES = ['agent', 'customer', 'reporter', 'third_party', 'timer'] as const

/** "Waits for the customer", or nothing. */
export function WaitsFor({ party }: { readonly party: string | undefined }) {
  const t = useText(messages)
  const known = PARTIES.find((one) => one === party)
  if (known === undefined) return <span className="dim">–</span>
  return <span className="cut">{t(`waits_${known}`)}</span>
}
