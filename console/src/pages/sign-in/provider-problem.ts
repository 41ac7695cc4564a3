// The refusals that a provider's way back can end in, each with a sentence of its own.

import type { messages } from './messages.ts'

type Key = keyof (typeof messages)['en']

const SENTENCES: Readonly<Record<string, Key>> = {
  APP_PROVIDER_SILENT: 'provider_silent',
  APP_PROVIDER_REFUSED: 'provider_refused',
  APP_PROVIDER_ANSWER_NOT_VALID: 'provider_not_valid',
  APP_PROVIDER_TRY_NOT_VALID: 'provider_try',
  APP_PROVIDER_TRIES_TOO_MANY: 'provider_many',
  APP_IDENTITY_NOT_LINKED: 'identity_not_linked',
  APP_IDENTITY_TAKEN: 'identity_taken',
  APP_PERSON_DISABLED: 'person_disabled',
  APP_LINK_NOT_VALID: 'link_not_valid',
  APP_TENANT_MISSING: 'tenant_missing',
}

/** Null where the hash tells of none. Anybody can write a hash, so only codes are shown of it. */
export function findProviderProblem(
  hash: string,
): { readonly text: Key; readonly code: string } | null {
  const code = /^error=([A-Z][A-Z_]{2,60})$/.exec(hash)?.[1]
  if (code === undefined) return null
  return {
    code,
    text: Object.hasOwn(SENTENCES, code) ? (SENTENCES[code] ?? 'provider_other') : 'provider_other',
  }
}
