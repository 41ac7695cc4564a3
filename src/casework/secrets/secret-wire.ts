// The secrets that a tenant names for its playbooks, as the API shows them: never their values.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'

export const SECRET_NAME = '^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$'
const SECRET_LENGTH_MAX = 4_096

export const SecretBody = named(
  'NewSecret',
  Type.Object(
    {
      value: Type.String({
        minLength: 1,
        maxLength: SECRET_LENGTH_MAX,
        description: 'Stored encrypted, and never shown again.',
      }),
    },
    { additionalProperties: false },
  ),
)

export const SecretRecord = named(
  'Secret',
  Type.Object({
    name: Type.String({ description: 'How playbooks refer to it.' }),
    updated_at: Type.String({ format: 'date-time', description: 'When its value was last set.' }),
  }),
)

export const SecretList = named(
  'SecretList',
  Type.Object({
    items: Type.Array(SecretRecord),
    next_cursor: Type.Literal('', { description: 'All secrets are on one page.' }),
  }),
)

export function presentSecret({
  name,
  updatedAt,
}: {
  readonly name: string
  readonly updatedAt: Date
}): Static<typeof SecretRecord> {
  return { name, updated_at: updatedAt.toISOString() }
}
