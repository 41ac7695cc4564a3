// The wire of sessions (design section 9). The secret travels in the cookie alone.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { SessionRecord } from './session-store.ts'

const Time = Type.String({ format: 'date-time' })

const SessionTenant = Type.Object({
  tenant_id: Type.String(),
  roles: Type.Array(Type.String(), { description: 'The roles of the person there.' }),
})

export const OwnSession = named(
  'OwnSession',
  Type.Object({
    id: Type.String(),
    user: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        email: Type.String(),
      },
      { description: 'Who is signed in.' },
    ),
    tenant_id: Type.String({ description: 'The tenant that the session acts in.' }),
    scopes: Type.Array(Type.String()),
    tenants: Type.Array(SessionTenant, {
      description: 'The tenants that the person works for, with the roles there.',
    }),
    must_enrol: Type.Boolean({
      description:
        'True where this instance or the tenant requires a second factor and the person has none: the session can set one up, and has no scopes before.',
    }),
    csrf_token: Type.String({
      description:
        'The value of the header `casework-csrf`, which every request by cookie needs that changes something.',
    }),
    created_at: Time,
    expires_at: Type.String({ format: 'date-time', description: 'In any case.' }),
  }),
)

const Session = named(
  'Session',
  Type.Object({
    id: Type.String(),
    tenant_id: Type.String(),
    methods: Type.Array(Type.String(), { description: 'How the person proved who they are.' }),
    is_current: Type.Boolean({ description: 'True for the session that asks.' }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'The address that it was opened from.',
    }),
    user_agent: Type.Union([Type.String(), Type.Null()], {
      description: 'The browser that it was opened with.',
    }),
    created_at: Time,
    last_used_at: Type.String({ format: 'date-time', description: 'Noted every 30 s.' }),
    expires_at: Time,
  }),
)

export const SessionList = named('SessionList', Type.Object({ items: Type.Array(Session) }))

export function presentSession(
  session: SessionRecord,
  currentId: string | undefined,
): Static<typeof Session> {
  return {
    id: session.id,
    tenant_id: session.tenantId,
    methods: [...session.methods],
    is_current: session.id === currentId,
    address: session.address,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  }
}
