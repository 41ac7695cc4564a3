// Requests by the cookie of a signed-in browser. A request that changes something must come from a
// page of our own and name the token that only such a page knows (OWASP cheat sheet on CSRF).

import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../vocabulary/caller.ts'
import { csrfTokenMissing } from '../sign-in/errors.ts'
import type { TokenDirectory } from '../token-directory.ts'
import { assertOwnOrigin, type PublicUrl } from './check-origin.ts'
import { chooseCookieNames, readCookie } from './session-cookie.ts'
import { isCsrfToken } from './session-secret.ts'

export interface SessionAdmission {
  readonly readSecret: (message: IncomingMessage) => string | null
  readonly find: (secret: string) => Caller | null
  readonly findNew: (secret: string) => Promise<Caller | null>
  readonly publicUrl: PublicUrl
}

const CSRF_HEADER = 'casework-csrf'

export function createSessionAdmission(
  tokens: Pick<TokenDirectory, 'findSession' | 'findNewSession'>,
  publicUrl: PublicUrl,
): SessionAdmission {
  const { session: name } = chooseCookieNames(publicUrl)
  return {
    readSecret: (message) => readCookie(message.headers.cookie, name),
    find: tokens.findSession,
    findNew: tokens.findNewSession,
    publicUrl,
  }
}

// RFC 9110 section 9.2.1: these change nothing.
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The caller of a live session, or null. Throws 403 for a request that another site may have sent.
 */
export async function admitCookie(
  { find, findNew, publicUrl }: SessionAdmission,
  secret: string,
  message: IncomingMessage,
): Promise<Caller | null> {
  const caller = find(secret) ?? (await findNew(secret))
  if (caller === null || SAFE_METHODS.has(message.method)) return caller
  assertOwnOrigin(publicUrl, message.headers)
  const given = message.headers[CSRF_HEADER]
  if (typeof given !== 'string' || !isCsrfToken(secret, given)) throw csrfTokenMissing()
  return caller
}
