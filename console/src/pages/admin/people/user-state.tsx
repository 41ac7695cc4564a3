// Whether a person may sign in, and their roles.

import { Ban, CircleCheck, MailQuestion } from 'lucide-react'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import type { User } from '../data.ts'
import { messages } from './messages.ts'

const STATES = {
  active: ['green', CircleCheck],
  invited: ['blue', MailQuestion],
  disabled: ['grey', Ban],
} as const

export function UserState({ state }: { readonly state: User['state'] }) {
  const t = useText(messages)
  const [tone, icon] = STATES[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`state_${state}`)}
    </Badge>
  )
}

/** The roles in the tenant of the session; elsewhere they are in the panel. */
export function rolesIn(person: User, tenantId: string): readonly string[] {
  return person.tenants.find((one) => one.tenant_id === tenantId)?.roles ?? []
}
