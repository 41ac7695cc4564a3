// What a route is: one value that says its path, who may call it, its schemas (validation, types
// and OpenAPI at once) and what it does.

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../../vocabulary/caller.ts'
import type { Scope } from '../../vocabulary/scopes.ts'
import type { Log } from '../log.ts'
import type { CountedLimit } from './rate-fields.ts'
import type { RawHandler } from './raw-route.ts'

/**
 * How a route fails (interface section 7, design section 5.6): `intel` in the envelope, `casework`
 * without a body, `admin` as problem+json, `system` as problem+json too.
 */
export type RouteGroup = 'intel' | 'casework' | 'admin' | 'system'

/**
 * `open-intel`: anyone, unless CASEWORK_INTEL_ACCESS=token; a presented credential is always
 * checked.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'open-intel'; readonly scope: Scope }
  /** With `letsNodesIn` also a node of this instance, by CASEWORK_NODE_SECRET; it is no caller. */
  | { readonly kind: 'scope'; readonly scope: Scope; readonly letsNodesIn?: true }
  /**
   * Any one of these sets of scopes is enough to come in. What only some of them may do is refused
   * by the handler, and `description` says it.
   */
  | { readonly kind: 'one-of'; readonly ways: readonly [ScopeSet, ...ScopeSet[]] }
  | { readonly kind: 'any-token' }

type ScopeSet = readonly [Scope, ...Scope[]]

export interface RequestContext<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Null only where `access` lets anyone in. */
  readonly caller: Caller | null
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Of the client, also behind trusted proxies; empty on the socket in the data folder. */
  readonly remoteAddress: string
  /** The limits that counted this request. */
  readonly limits: readonly CountedLimit[]
  readonly requestId: string
  readonly log: Log
}

export interface Reply {
  readonly status: number
  /** Sent as JSON by JSON.stringify; absent means an empty body. */
  readonly json?: unknown
  /** Sent as it stands, with `contentType`. */
  readonly text?: string
  /** Sent as they stand, with `contentType`. */
  readonly bytes?: Buffer
  readonly stream?: Readable
  /** Called when the server stops while `stream` is under way: one without an end must end it. */
  readonly onStop?: () => void
  /** Of `text`, `bytes` and `stream`; `application/json; charset=utf-8` when left out. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`, each in a header of its own. */
  readonly cookies?: readonly string[]
}

export interface ResponseDescription {
  readonly description: string
  readonly schema?: TSchema
  readonly contentType?: string
  /** Another form of the same answer, as text, for a client that asks for it. */
  readonly otherContentType?: string
}

export interface RouteDefinition<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` placeholders, as in OpenAPI. */
  readonly path: string
  readonly group: RouteGroup
  readonly access: Access
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly params?: Params
  /**
   * Query parameters travel as text: number and boolean schemas are read from it, nothing else is
   * converted.
   */
  readonly query?: Query
  /**
   * `refused` answers 400 to a parameter the schema does not name; some real clients of the intel
   * group send extra ones.
   */
  readonly unknownQuery?: 'refused' | 'ignored'
  readonly body?: Body
  /**
   * Media types the route takes; `application/json` when left out, all with the any-type wildcard.
   */
  readonly consumes?: readonly string[]
  /**
   * `json` (default): JSON is parsed, another type arrives as a Buffer. `bytes`: a Buffer always,
   * for what is stored as it came.
   */
  readonly bodyKind?: 'json' | 'bytes'
  /** The body is handed on as a Readable for the media types other than JSON, up to `bodyLimit`. */
  readonly streamsBody?: boolean
  /**
   * True when the handler's own parser refuses text that PostgreSQL cannot keep; else every JSON
   * body is walked for it.
   */
  readonly checksOwnText?: boolean
  /**
   * True when the handler's own parser checks the whole body, its text included: the schema is then
   * what it promises, not what runs.
   */
  readonly checksOwnBody?: boolean
  /** Bytes; 262,144 when left out (design section 10). */
  readonly bodyLimit?: number
  /**
   * Bytes of a JSON body where that is held in memory and other media types are streamed;
   * `bodyLimit` when left out.
   */
  readonly jsonBodyLimit?: number
  /** How long the whole body may take to arrive, ms; 10,000 when left out. */
  readonly bodyTimeoutMs?: number
  /**
   * What the header Idempotency-Key does. `kept`: a repeat gets the first answer again
   * (keep-answer.ts), so all that the handler writes goes through `inTransaction`. `sealed`: the
   * same for an answer with a secret. `own`: the handler reads the key. Left out: the header means
   * nothing here.
   */
  readonly idempotency?: 'kept' | 'sealed' | 'own'
  /**
   * The ETag of its answer is the version of the record, for If-Match (entity-tag.ts). What does
   * not count as a change of the record, such as a new event, leaves it as it is, so it answers no
   * If-None-Match. Other routes that read one record get a tag of the whole answer.
   */
  readonly hasVersionTag?: true
  /** Hot routes are counted but write no log line each. */
  readonly isHot?: boolean
  /**
   * Endpoints 1 to 5 answer failures without a body (interface section 7); other casework routes
   * say what was wrong.
   */
  readonly failsWithoutBody?: boolean
  /** Answers the plain form of a hot request in front of Fastify. */
  readonly answerRaw?: RawHandler
  readonly responses: Readonly<Record<number, ResponseDescription>>
  // A method, not a property: its parameters are then compared bivariantly, so that routes of all
  // shapes fit one table.
  handle(
    context: RequestContext<Static<Params>, Static<Query>, Static<Body>>,
  ): Promise<Reply> | Reply
}

export type Route = RouteDefinition<TSchema, TSchema, TSchema>

/** Types the handler from its schemas. */
export function defineRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  route: RouteDefinition<Params, Query, Body>,
): Route {
  // The schemas are what the handler was typed with, and validation runs before it: the one cast of
  // the route table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return route
}

/**
 * Lets a request in or refuses it, before a byte of its body is read: credential, scope, limits.
 * Gives the caller; null where the route lets anyone in. A promise only for a cookie, and for a
 * credential that this thread does not know. Throws or rejects with the operating error of the
 * refusal.
 */
export type Admit = (
  message: IncomingMessage,
  route: Pick<Route, 'access' | 'group'>,
) => Caller | null | Promise<Caller | null>
