// The client of the interface for programs in Node and in browsers, `casework/client`: calls that
// are typed by the OpenAPI document, lists as iterators, quick checks of any length, and one error.

import createClient, { type Client, type MaybeOptionalInit } from 'openapi-fetch'
import { type CaseworkError, readFailure, readSilence } from './casework-error.ts'
import { checkInParts } from './check-in-parts.ts'
import { KEYED_PATHS } from './keyed-paths.ts'
import { findNextQuery, type PageQuery, readPageItems } from './next-page.ts'
import { isPartial, type RetrySettings, retryRequests } from './retry-requests.ts'
import type { Paths, Schemas } from './schema.ts'
import {
  type WatchedChange,
  type WatchedReset,
  type WatchOptions,
  watchChanges,
} from './watch-changes.ts'

export { CaseworkError, type ProblemLocation } from './casework-error.ts'
export type { Paths, Schemas } from './schema.ts'
export type { WatchedChange, WatchedReset, WatchOptions } from './watch-changes.ts'

export interface CaseworkOptions extends Partial<RetrySettings> {
  /** Where the server is, such as https://casework.example; a path before /beta is kept. */
  readonly url: string
  /** Without one, only what the server shows to everybody can be called. */
  readonly token?: string
  /** Sent in the place of the platform's own. */
  readonly fetch?: (request: Request) => Promise<Response>
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

type PathsOf<M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<M, unknown> ? P : never
}[keyof Paths]

/** The parameters, the body, headers and the signal of a call. */
type Given<P extends keyof Paths, M extends keyof Paths[P]> = WithoutForm<
  MaybeOptionalInit<Paths[P], M>
>
type WithoutForm<I> = I extends undefined ? undefined : Omit<I, 'parseAs' | 'fetch' | 'baseUrl'>

type Arguments<I> = undefined extends I ? [given?: I] : [given: I]

type Content<R> = R extends { content: infer C } ? C[keyof C] : undefined

/** The body of a success: what JSON holds, a text, bytes, or undefined when there is none. */
type Answer<O> = O extends { responses: infer R } ? Content<R[keyof R]> : never

type Call<M extends Method> = <P extends PathsOf<M>>(
  path: P,
  ...given: Arguments<Given<P, M & keyof Paths[P]>>
) => Promise<Answer<Paths[P][M & keyof Paths[P]]>>

type AnswerTo<P extends PathsOf<'get'>> = Answer<Paths[P]['get']>

type ItemOf<A> = A extends { items: readonly (infer I)[] }
  ? I
  : A extends { result: infer R }
    ? R extends
        | { items: readonly (infer I)[] }
        | { entries: readonly (infer I)[] }
        | { changes: readonly (infer I)[] }
      ? I
      : never
    : never

/** The lists that have pages. */
type PagedPath = {
  [P in PathsOf<'get'>]: [ItemOf<AnswerTo<P>>] extends [never] ? never : P
}[PathsOf<'get'>]

export type CheckedItem = Schemas['QuickCheckItem'] | Schemas['UnreadItem']

export interface CheckOptions {
  /** Also takes what analysts paste, such as evil[.]example; true when left out. */
  readonly refang?: boolean
  readonly signal?: AbortSignal
}

export interface Lookup {
  readonly result: Schemas['LookupResult']
  /** Not everything could be found out in time; the rest of the result is complete. */
  readonly partial: boolean
}

export interface Casework {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly patch: Call<'patch'>
  readonly delete: Call<'delete'>
  /** The pages of a list, from the one that the query names to the last. */
  readonly pages: <P extends PagedPath>(
    path: P,
    ...given: Arguments<Given<P, 'get'>>
  ) => AsyncGenerator<AnswerTo<P>, void>
  /** The items of all pages. */
  readonly list: <P extends PagedPath>(
    path: P,
    ...given: Arguments<Given<P, 'get'>>
  ) => AsyncGenerator<ItemOf<AnswerTo<P>>, void>
  /** One result for each item, in their order: any number of items, a thousand a request. */
  readonly check: (
    items: Iterable<string> | AsyncIterable<string>,
    options?: CheckOptions,
  ) => AsyncGenerator<CheckedItem, void>
  /** Has unassigned events looked at again, as many as a request does; the answers, to the last. */
  readonly replayEvents: (
    which: Schemas['EventReplayRequest'],
    options?: { readonly signal?: AbortSignal },
  ) => AsyncGenerator<Schemas['EventReplay'], void>
  readonly lookup: (
    item: string,
    options?: { readonly refang?: boolean; readonly signal?: AbortSignal },
  ) => Promise<Lookup>
  /** What happens to the records of the tenant; a stream that breaks off is resumed. */
  readonly watch: (options?: WatchOptions) => AsyncGenerator<WatchedChange | WatchedReset, void>
}

// A quarter of a second, half a second, a second: what a restart of a server takes.
const RETRIES = 3
const WAIT_SECONDS_MAX = 60

// The calls are typed by `Call`; below it they are sent as they come.
type Untyped = Readonly<Record<string, never>>
type GivenToAny = Readonly<Record<string, unknown>> | undefined
type CallAny = (path: string, given: GivenToAny) => Promise<unknown>

/** A client of one server, with one token. It holds no connection and need not be closed. */
export function createCasework(options: CaseworkOptions): Casework {
  const client = openClient(options)
  const call = (method: Method): CallAny => createCall(client, method)
  const get = call('get')
  const pages = (path: string, given: GivenToAny): AsyncGenerator => readPages(get, path, given)
  const casework = {
    get,
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    pages,
    async *list(path: string, given: GivenToAny) {
      for await (const page of pages(path, given)) yield* readPageItems(page)
    },
    check(
      items: Iterable<string> | AsyncIterable<string>,
      { refang = true, signal }: CheckOptions = {},
    ) {
      return checkInParts(items, async (part) => {
        const { result } = await typed.post('/beta/quick-check', {
          params: { query: { invalid: 'report', refang } },
          body: part,
          ...(signal === undefined ? {} : { signal }),
        })
        return result
      })
    },
    async *replayEvents(
      which: Schemas['EventReplayRequest'],
      { signal }: { readonly signal?: AbortSignal } = {},
    ) {
      let { after = '' } = which
      do {
        const answer = await typed.post('/beta/casework/events/replay', {
          body: after === '' ? which : { ...which, after },
          ...(signal === undefined ? {} : { signal }),
        })
        yield answer
        after = answer.next_after
      } while (after !== '')
    },
    async lookup(
      item: string,
      { refang = true, signal }: { readonly refang?: boolean; readonly signal?: AbortSignal } = {},
    ): Promise<Lookup> {
      const { status, result } = await typed.get('/beta/query/{item}', {
        params: { path: { item }, query: { refang } },
        ...(signal === undefined ? {} : { signal }),
      })
      return { result, partial: status === 'partial_success' }
    },
    watch: (given: WatchOptions = {}) =>
      watchChanges({ url: options.url, token: options.token, send: chooseFetch(options) }, given),
  }
  // The types of the document hold for what the server answers, which the tests of the document
  // prove; here it is read as it comes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const typed = casework as unknown as Casework
  return typed
}

function chooseFetch({ fetch }: CaseworkOptions): (request: Request) => Promise<Response> {
  return fetch ?? ((request) => globalThis.fetch(request))
}

function openClient(options: CaseworkOptions): Client<Untyped> {
  const { url, token, retries = RETRIES, waitSecondsMax = WAIT_SECONDS_MAX } = options
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new TypeError(`"${url}" is not an http or https address.`)
  }
  const send = chooseFetch(options)
  const client = createClient<Untyped>({
    baseUrl: url,
    headers: {
      accept: 'application/json, application/problem+json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    // The interface takes lists as one parameter, with commas.
    querySerializer: { array: { style: 'form', explode: false } },
    bodySerializer: (body: unknown) => (isSentAsItIs(body) ? body : JSON.stringify(body)),
    fetch: retryRequests(send, { retries, waitSecondsMax }),
  })
  client.use({
    onRequest({ request, schemaPath }) {
      if (request.method !== 'POST' || !KEYED_PATHS.has(schemaPath)) return
      if (!request.headers.has('idempotency-key')) {
        request.headers.set('idempotency-key', createKey())
      }
    },
    onError: ({ request, error }) => {
      if (request.signal.aborted) return
      return readSilence(request, error)
    },
  })
  return client
}

/** Bytes and texts, such as a mail or lines of JSON, go as they are, with their content-type. */
function isSentAsItIs(body: unknown): boolean {
  return (
    typeof body === 'string' ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof ReadableStream ||
    body instanceof Blob
  )
}

// Not randomUUID, which browsers have on secure pages only.
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

interface Received {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

function createCall(client: Client<Untyped>, method: Method): CallAny {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed by `Call` outside
  const request = client.request as unknown as (
    method: Method,
    path: string,
    given: object,
  ) => Promise<Received>
  return async (path, given) => {
    const { data, error, response } = await request(method, path, {
      ...given,
      parseAs: 'arrayBuffer',
    })
    if (response.ok) return readAnswer(data, response.headers)
    if (isPartial(response.headers)) return error
    throw failed(method, response, error)
  }
}

function failed(method: Method, response: Response, body: unknown): CaseworkError {
  return readFailure({ method: method.toUpperCase(), url: response.url }, response, body)
}

function readAnswer(data: unknown, headers: Headers): unknown {
  if (!(data instanceof ArrayBuffer) || data.byteLength === 0) return undefined
  const type = headers.get('content-type') ?? ''
  if (/json/.test(type)) return JSON.parse(new TextDecoder().decode(data))
  return type.startsWith('text/') ? new TextDecoder().decode(data) : data
}

async function* readPages(get: CallAny, path: string, given: GivenToAny): AsyncGenerator {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed by `Given` outside
  const params = (given?.['params'] ?? {}) as { readonly query?: PageQuery }
  let query: PageQuery | null = params.query ?? {}
  while (query !== null) {
    const page = await get(path, { ...given, params: { ...params, query } })
    yield page
    const next = findNextQuery(page, query)
    query = next === null ? null : { ...query, ...next }
  }
}
