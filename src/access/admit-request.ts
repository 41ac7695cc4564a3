// Who may send a request, decided before a byte of its body is read: credential, scope,
// limits (interface section 5, design section 4.5 and 6). The answers 400, 401 and 403
// follow RFC 6750 section 3.1.

import type { IncomingMessage } from 'node:http'
import {
  credentialMissing,
  credentialNotReadable,
  credentialNotValid,
  networkNotAllowed,
  scopeMissing,
  sessionNotLive,
  tooManyRequests,
} from '../kernel/errors.ts'
import type { ClientAddresses } from '../kernel/http/client-address.ts'
import { countHeader } from '../kernel/http/message-form.ts'
import { noteLimit } from '../kernel/http/rate-fields.ts'
import type { RateLimiter } from '../kernel/http/rate-limiter.ts'
import type { Access, Admit, Route, RouteGroup } from '../kernel/http/route.ts'
import { groupAddress } from '../values/address-group.ts'
import type { Range } from '../values/range.ts'
import type { Caller } from '../vocabulary/caller.ts'
import { admitCookie, type SessionAdmission } from './sessions/admit-session.ts'
import type { TokenDirectory } from './token-directory.ts'
import { isInNetworks } from './token-networks.ts'

export interface AdmissionDeps extends AuthenticateDeps {
  /** Counts the requests of routes that are open to anyone, by address. */
  readonly lookupLimiter: RateLimiter
  /** Counts the requests with a credential, by token. */
  readonly tokenLimiter: RateLimiter
  /** Set for the socket in the data folder: this caller sends all requests. */
  readonly localCaller?: Caller | undefined
}

/** Throws or rejects with the operating errors 400, 401, 403, 429 and 503. */
export function createAdmission(deps: AdmissionDeps): Admit {
  return (message, route) => {
    const caller = deps.localCaller ?? authenticate(deps, message, route)
    if (caller instanceof Promise) {
      return caller.then((known) => {
        checkLimits(deps, message, route, known)
        return known
      })
    }
    checkLimits(deps, message, route, caller)
    return caller
  }
}

function checkLimits(
  { lookupLimiter, tokenLimiter, clients }: AdmissionDeps,
  message: IncomingMessage,
  { access }: Pick<Route, 'access'>,
  caller: Caller | null,
): void {
  if (caller?.networks !== null && caller?.networks !== undefined) {
    assertIsInNetworks(caller.networks, clients.read(message))
  }
  // Administrators are never limited: they must be able to stop the load that makes the limit
  // necessary (design section 10).
  if (caller?.scopes.has('instance:admin') === true) return
  if (access.kind === 'open-intel' && lookupLimiter.isOn) {
    countAgainst(lookupLimiter, message, 'lookup', readClient(clients, message))
  }
  if (caller !== null && tokenLimiter.isOn) {
    countAgainst(tokenLimiter, message, 'token', caller.tokenId)
  }
}

/** Whose limit the request counts against. */
function readClient(clients: ClientAddresses, message: IncomingMessage): string {
  return groupAddress(clients.read(message))
}

function assertIsInNetworks(networks: readonly Range[], address: string): void {
  if (!isInNetworks(address, networks)) throw networkNotAllowed()
}

/** The answer tells what is left, whether it is a refusal or not. */
function countAgainst(
  limiter: RateLimiter,
  message: IncomingMessage,
  name: string,
  key: string,
): void {
  const waitSeconds = limiter.take(key)
  noteLimit(message, { name, ...limiter.look(key) })
  if (waitSeconds > 0) throw tooManyRequests(waitSeconds)
}

/** The caller of a route that lets no one in without a credential. */
export function requireCaller(caller: Caller | null): Caller {
  if (caller === null) throw new Error('a route without open access was handled without a caller')
  return caller
}

interface AuthenticateDeps {
  readonly tokens: Pick<TokenDirectory, 'findCaller' | 'findNewCaller'>
  /** Whether a credential is CASEWORK_NODE_SECRET. */
  readonly isNodeSecret?: (credential: string) => boolean
  readonly intelAccess: 'open' | 'token'
  readonly clients: ClientAddresses
  /**
   * Counts wrong credentials by address; a valid one is never refused for them (design section 10).
   */
  readonly failedCredentials: RateLimiter
  /** Left out where no cookie counts. */
  readonly sessions?: SessionAdmission
}

function authenticate(
  deps: AuthenticateDeps,
  message: IncomingMessage,
  { access, group }: Pick<Route, 'access' | 'group'>,
): Caller | null | Promise<Caller | null> {
  if (access.kind === 'public') return null
  const text = readCredential(message, group)
  if (text === null) return authenticateWithoutToken(deps, message, access)
  if (
    access.kind === 'scope' &&
    access.letsNodesIn === true &&
    deps.isNodeSecret?.(text) === true
  ) {
    return null
  }
  const caller = deps.tokens.findCaller(text)
  if (caller === null) return findNewCaller(deps, access, text, message)
  assertScope(access, caller)
  return caller
}

/** By the cookie of a session, else as a client whom nobody knows. */
function authenticateWithoutToken(
  deps: AuthenticateDeps,
  message: IncomingMessage,
  access: Access,
): null | Promise<Caller | null> {
  const secret = deps.sessions?.readSecret(message) ?? null
  if (deps.sessions !== undefined && secret !== null) {
    return authenticateSession(deps, deps.sessions, secret, message, access)
  }
  if (isOpen(deps, access)) return null
  throw credentialMissing()
}

function isOpen({ intelAccess }: AuthenticateDeps, { kind }: Access): boolean {
  return kind === 'open-intel' && intelAccess === 'open'
}

/**
 * A browser sends its cookie by itself, so a session that is over is as good as none where none is
 * needed.
 */
async function authenticateSession(
  deps: AuthenticateDeps,
  sessions: SessionAdmission,
  secret: string,
  message: IncomingMessage,
  access: Access,
): Promise<Caller | null> {
  const caller = await admitCookie(sessions, secret, message)
  if (caller === null) {
    if (isOpen(deps, access)) return null
    countFailure(deps, message)
    throw sessionNotLive()
  }
  assertScope(access, caller)
  return caller
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
    countFailure(deps, message)
    throw credentialNotValid()
  }
  assertScope(access, caller)
  return caller
}

/** Throws 429 for an address that has sent too many wrong credentials. */
function countFailure({ failedCredentials, clients }: AuthenticateDeps, message: IncomingMessage) {
  const waitSeconds = failedCredentials.take(readClient(clients, message))
  if (waitSeconds > 0) throw tooManyRequests(waitSeconds)
}

function assertScope(access: Access, caller: Caller): void {
  if (access.kind === 'public' || access.kind === 'any-token') return
  if (access.kind !== 'one-of') {
    if (!caller.scopes.has(access.scope)) throw scopeMissing(access.scope)
    return
  }
  if (access.ways.some((scopes) => scopes.every((scope) => caller.scopes.has(scope)))) return
  // The first way is the usual one.
  throw scopeMissing(access.ways[0].find((scope) => !caller.scopes.has(scope)) ?? access.ways[0][0])
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
