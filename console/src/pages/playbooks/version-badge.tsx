// The state of a version, and of a playbook as a whole.

import { CircleCheck, CircleDashed, CircleSlash, Hourglass } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import type { Playbook, VersionState } from './data.ts'
import { messages } from './messages.ts'

const LOOKS = {
  draft: ['blue', CircleDashed],
  active: ['green', CircleCheck],
  draining: ['amber', Hourglass],
  inactive: ['grey', CircleSlash],
} as const

export function VersionBadge({ state }: { readonly state: VersionState }) {
  const t = useText(messages)
  const [tone, icon] = LOOKS[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state_${state}`)}
    </Badge>
  )
}

export function PlaybookBadge({ playbook }: { readonly playbook: Playbook }) {
  const t = useText(messages)
  if (playbook.active_version !== undefined) return <VersionBadge state="active" />
  return (
    <Badge tone="grey" icon={CircleSlash}>
      {t('not_active')}
    </Badge>
  )
}
