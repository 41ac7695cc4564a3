// From headers to a caller (interface section 5, design section 4.5 and 6). The answers 400, 401
// and 403 follow RFC 6750 section 3.1.

import type { IncomingMessage } from 'node:http'
import {
  credentialMissing,
  credentialNotReadable,
  credentialNotValid,
  scopeMissing,
  tooManyRequests,
} from '../kernel/errors.ts'
import type { Authenticate } from '../kernel/http/admission.ts'
import type { RateLimiter } from '../kernel/http/rate-limiter.ts'
import type { Access, RouteGroup } from '../kernel/http/route.ts'
import type { Caller } from '../vocabulary/caller.ts'
import type { TokenDirectory } from './token-directory.ts'

export interface AuthenticateDeps {
  readonly tokens: Pick<TokenDirectory, 'findCaller' | 'findNewCaller'>
  readonly intelAccess: 'open' | 'token'
  /**
   * Counts wrong credentials by address; a valid one is never refused for them (design section 10).
   */
  readonly failedCredentials: RateLimiter
}

/** Throws or rejects with the operating errors 400, 401, 403, 429 and 503. */
export function createAuthenticator(deps: AuthenticateDeps): Authenticate {
  return ({ access, group }, message) => {
    if (access.kind === 'public') return null
    const text = readCredential(message, group)
    if (text === null) {
      if (access.kind === 'open-intel' && deps.intelAccess === 'open') return null
      throw credentialMissing()
    }
    const caller = deps.tokens.findCaller(text)
    if (caller === null) return findNewCaller(deps, access, text, message)
    assertScope(access, caller)
    return caller
  }
}

/**
 * A token that another thread or node has just made is good. Only one that the database does not
 * know either counts as wrong.
 */
async function findNewCaller(
  deps: AuthenticateDeps,
  access: Access,
  text: string,
  message: IncomingMessage,
): Promise<Caller> {
  const caller = await deps.tokens.findNewCaller(text)
  if (caller === null) {
    const waitSeconds = deps.failedCredentials.take(message.socket.remoteAddress ?? '')
    throw waitSeconds > 0 ? tooManyRequests(waitSeconds) : credentialNotValid()
  }
  assertScope(access, caller)
  return caller
}

function assertScope(access: Access, caller: Caller): void {
  if (access.kind !== 'public' && access.kind !== 'any-token' && !caller.scopes.has(access.scope)) {
    throw scopeMissing(access.scope)
  }
}

/**
 * The one token that was sent, or null for none. Two credentials, another scheme or an empty token
 * are refused.
 */
function readCredential(message: IncomingMessage, group: RouteGroup): string | null {
  const { authorization } = message.headers
  // Endpoints 1 to 5 know the bearer header only (interface section 5); elsewhere `x-api-key` is
  // not a credential and is ignored.
  const apiKey = group === 'intel' ? message.headers['x-api-key'] : undefined
  if (authorization === undefined && apiKey === undefined) return null
  if (authorization !== undefined && apiKey !== undefined) throw credentialNotReadable()
  if (apiKey !== undefined) return readApiKey(apiKey)
  // Node keeps the first of several such headers and drops the rest without a word.
  if (countHeader(message.rawHeaders, 'authorization') > 1) throw credentialNotReadable()
  return readBearer(authorization ?? '')
}

// RFC 6750 section 2.1: the characters a bearer token may have.
const TOKEN_PATTERN = /^[A-Za-z0-9._~+/-]+=*$/
const BEARER_PATTERN = /^bearer(?: +(.*))?$/i

function readBearer(authorization: string): string {
  const match = BEARER_PATTERN.exec(authorization)
  // Basic and other schemes are a credential we do not know (401), a broken bearer header is a
  // request we cannot read (400).
  if (match === null) throw credentialMissing()
  const text = match[1] ?? ''
  if (!TOKEN_PATTERN.test(text)) throw credentialNotReadable()
  return text
}

function readApiKey(apiKey: string | string[]): string {
  // Node joins several headers of this name with a comma, which no token holds.
  if (typeof apiKey !== 'string' || !TOKEN_PATTERN.test(apiKey)) throw credentialNotReadable()
  return apiKey
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) count += 1
  }
  return count
}
