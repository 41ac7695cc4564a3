// Whether a token works.

import { Ban, CircleCheck, Clock } from 'lucide-react'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import type { Token } from '../data.ts'
import { messages } from './messages.ts'

const STATES = {
  live: ['green', CircleCheck],
  expired: ['grey', Clock],
  revoked: ['red', Ban],
} as const

export function TokenState({ state }: { readonly state: Token['state'] }) {
  const t = useText(messages)
  const [tone, icon] = STATES[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state_${state}`)}
    </Badge>
  )
}
