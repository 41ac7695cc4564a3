// Secrets of the tenant in the config of a node: a graph names them, and only the request has their
// values. What another system sends back is kept without them.

import { type Static, Type } from 'typebox'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { findSecret, TENANT_SECRETS } from '../../secrets/secret-store.ts'
import { SECRET_NAME } from '../../secrets/secret-wire.ts'
import type { CallDeps, Refused } from '../node-kind.ts'
import { nameOf } from './reference-config.ts'

export const SecretName = nameOf('secret', {
  pattern: SECRET_NAME,
  description: 'The name of a secret of the tenant.',
})

export const SecretMember = Type.Object(
  {
    secret: SecretName,
    prefix: Type.Optional(
      Type.String({ maxLength: 100, description: 'Stands before it, such as “Bearer ”.' }),
    ),
  },
  { additionalProperties: false },
)

export type SecretReference = Static<typeof SecretMember>

interface OpenSecrets {
  readonly kind: 'open'
  /** The text with its secret. */
  readonly complete: (value: string | SecretReference) => string
  /** A JSON value in which every text of a secret is replaced. */
  readonly hide: (value: unknown) => unknown
}

const HIDDEN = '[secret]'

/** Refused when a secret is not there. Throws without the key that sealed it. */
export async function openSecrets(
  { db, secrets }: Pick<CallDeps, 'db' | 'secrets'>,
  scope: TenantScope,
  values: readonly (string | SecretReference)[],
): Promise<OpenSecrets | Refused> {
  const names = values.flatMap((value) => (typeof value === 'string' ? [] : [value.secret]))
  const texts = new Map<string, string>()
  for (const name of new Set(names)) {
    // A request has one, rarely two.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const text = await findSecret(db, secrets, scope, { owner: TENANT_SECRETS, name })
    if (text === null) {
      return { kind: 'refused', reason: 'secret_missing', output: { secret: name } }
    }
    texts.set(name, text)
  }
  return {
    kind: 'open',
    complete: (value) =>
      typeof value === 'string' ? value : `${value.prefix ?? ''}${texts.get(value.secret) ?? ''}`,
    hide: (value) => hideTexts(value, [...texts.values()]),
  }
}

/** The text as a simulation shows it. */
export function maskSecret(value: string | SecretReference): string {
  return typeof value === 'string' ? value : `${value.prefix ?? ''}[secret ${value.secret}]`
}

function hideTexts(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string') {
    return texts.reduce((text, secret) => text.replaceAll(secret, HIDDEN), value)
  }
  if (Array.isArray(value)) return value.map((one) => hideTexts(one, texts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      String(hideTexts(name, texts)),
      hideTexts(one, texts),
    ]),
  )
}
