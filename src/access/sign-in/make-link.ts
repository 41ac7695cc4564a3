// Makes a link that is good once. Its secret stands behind the `#`, so that no server, proxy or
// `Referer` header ever has it.

import type { Tx } from '../../kernel/db/database.ts'
import { createSecretText, hashSecret } from '../sessions/session-secret.ts'
import { insertLink, type LinkKind, type SignInLink } from './link-store.ts'

const HOUR_MS = 3_600_000
const LIFE_MS: Readonly<Record<LinkKind, number>> = {
  setup: HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
}

export interface MadeLink {
  readonly url: string
  readonly secret: string
  readonly expiresAt: Date
}

export async function makeLink(
  tx: Tx,
  link: Omit<SignInLink, 'expiresAt'>,
  { publicUrl, nowMs }: { readonly publicUrl: string; readonly nowMs: number },
): Promise<MadeLink> {
  const secret = createSecretText()
  const expiresAt = new Date(nowMs + LIFE_MS[link.kind])
  await insertLink(tx, hashSecret(secret), { ...link, expiresAt })
  return { secret, expiresAt, url: `${publicUrl}/welcome#${secret}` }
}

/** What a person pastes: the whole link, or its secret alone. */
export function readLinkSecret(text: string): string {
  return text.slice(text.lastIndexOf('#') + 1).trim()
}
