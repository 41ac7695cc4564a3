// From headers to a caller (interface section 5, design section 4.5 and 6). The answers 400, 401
// and 403 follow RFC 6750 section 3.1.

import type { IncomingHttpHeaders } from 'node:http'
import {
  credentialMissing,
  credentialNotReadable,
  credentialNotValid,
  scopeMissing,
  tooManyRequests,
} from '../kernel/errors.ts'
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

/** The part of a request that says who asks. */
export interface Presented {
  readonly message: {
    readonly headers: IncomingHttpHeaders
    readonly rawHeaders: readonly string[]
  }
  readonly remoteAddress: string
}

/**
 * The caller, null where no one need be one; a promise only for a credential that this thread does
 * not know. Throws or rejects with the operating error of the refusal.
 */
export function authenticate(
  deps: AuthenticateDeps,
  route: { readonly access: Access; readonly group: RouteGroup },
  presented: Presented,
): Caller | null | Promise<Caller> {
  const { access } = route
  if (access.kind === 'public') return null
  const text = readCredential(presented.message, route.group)
  if (text === null) {
    if (access.kind === 'open-intel' && deps.intelAccess === 'open') return null
    throw credentialMissing()
  }
  const caller = deps.tokens.findCaller(text)
  if (caller === null) return askForCaller(deps, access, text, presented)
  assertScope(access, caller)
  return caller
}

/**
 * A token that was made a moment ago on another thread or node is good: only what the database does
 * not know either counts as wrong.
 */
async function askForCaller(
  deps: AuthenticateDeps,
  access: Access,
  text: string,
  presented: Presented,
): Promise<Caller> {
  const caller = await deps.tokens.findNewCaller(text)
  if (caller === null) {
    const waitSeconds = deps.failedCredentials.take(presented.remoteAddress)
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
function readCredential(message: Presented['message'], group: RouteGroup): string | null {
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
