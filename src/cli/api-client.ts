// How the commands reach a server: by the client of the interface (`casework/client`), to the
// server of a flag, of the environment or of a profile, or over the socket in the data folder of a
// server on this machine.

import { existsSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { type Casework, CaseworkError, createCasework } from '../client/client.ts'
import type { Config } from '../kernel/config.ts'
import { readEnvironment } from '../kernel/config.ts'
import { resolveSocketPath } from '../kernel/data-folder.ts'
import { hasErrorCode } from '../kernel/system-error.ts'
import { CommandFailure, chooseExitCodeForStatus, EXIT } from './exit-codes.ts'
import { chooseServer, type ServerChoice } from './profiles/choose-server.ts'
import { nameFlags } from './wording.ts'

export interface ApiAnswer {
  readonly status: number
  readonly text: string
  /** The code of a failure, and the place that is wrong, where the server names them. */
  readonly problem?: string
}

/** An answer with its bytes as they came, which are no text always. */
export interface ServerAnswer extends ApiAnswer {
  readonly bytes: Buffer
}

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly json?: unknown
  /** Sent unchanged, with `contentType`. */
  readonly bytes?: Buffer
  /** Sent unchanged, with `contentType`. */
  readonly stream?: Readable
  readonly contentType?: string
}

export interface ApiClient {
  /** The target of the requests, for messages. */
  readonly place: string
  /** True for the server on the data folder of this machine. */
  readonly isLocal: boolean
  readonly send: (request: ApiRequest) => Promise<ServerAnswer>
}

/** Whether the server of the commands is not on this machine. */
export function namesRemoteServer(flags: Readonly<Record<string, unknown>>): boolean {
  const host = URL.parse(readServerUrl(flags) ?? '')?.hostname
  return host !== undefined && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(host)
}

/** The address of the server that is asked; null for the one on the data folder. */
export function readServerUrl(flags: Readonly<Record<string, unknown>>): string | null {
  return chooseServer(flags, readEnvironment())?.url ?? null
}

/**
 * The client for the server that the flags, the environment or a profile name, else the local one.
 */
export function createApiClient(
  flags: Readonly<Record<string, unknown>>,
  config: Config,
): ApiClient {
  const server = chooseServer(flags, readEnvironment())
  const target = server === null ? findLocalTarget(config) : findRemoteTarget(server)
  return {
    place: target.place,
    isLocal: server === null,
    send: (request) => send(target, request),
  }
}

/** A client whose answers come piece by piece, for streams that have no end. */
export function createStreamClient(
  flags: Readonly<Record<string, unknown>>,
  config: Config,
): Casework {
  const server = chooseServer(flags, readEnvironment())
  const target = server === null ? findLocalTarget(config) : findRemoteTarget(server)
  const { url, token, options, silence } = target
  if (options === null) throw new CommandFailure(silence, EXIT.network)
  return createCasework({
    url,
    ...(token === undefined ? {} : { token }),
    fetch: (request) => openAnswer({ options, silence }, request),
  })
}

/** Resolves with the first bytes of the answer; the signal of the request ends it. */
async function openAnswer(
  { options, silence }: Pick<Target, 'silence'> & { readonly options: RequestOptions },
  { url, method, headers, signal }: Request,
): Promise<Response> {
  return await new Promise((resolve, reject) => {
    const open = url.startsWith('https:') ? httpsRequest : httpRequest
    open(new URL(url), { ...options, method, headers: Object.fromEntries(headers), signal })
      .on('response', (incoming) => {
        const status = incoming.statusCode ?? 0
        resolve(new Response(Readable.toWeb(incoming), { status, headers: readHeaders(incoming) }))
      })
      .on('error', (error) => reject(explainNetwork(error, silence)))
      .end()
  })
}

function readHeaders(incoming: IncomingMessage): Headers {
  const received = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value].flat()) if (one !== undefined) received.append(name, one)
  }
  return received
}

interface Target {
  readonly place: string
  readonly url: string
  readonly token?: string
  /** Null when there can be no server. */
  readonly options: RequestOptions | null
  /** What is said when nobody is there. */
  readonly silence: string
  readonly isStarting?: string
}

function findRemoteTarget({ url, token }: ServerChoice): Target {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new CommandFailure(`"${url}" is not an http or https address.`, EXIT.usage)
  }
  const { origin } = new URL(url)
  return {
    place: origin,
    url: url.replace(/\/$/, ''),
    ...(token === null ? {} : { token }),
    options: {},
    silence: `${origin} does not answer.`,
  }
}

function findLocalTarget({ dataDir }: Config): Target {
  const silence = `No server is running on ${dataDir}: start it with "npm start", or name one with CASEWORK_URL.`
  return {
    place: `the server on ${dataDir}`,
    url: 'http://localhost',
    // Without the folder there is no socket in it, and no server.
    options: existsSync(dataDir) ? { socketPath: resolveSocketPath(dataDir) } : null,
    silence,
    isStarting: `The server on ${dataDir} is still starting, or is stopping; try again in a moment.`,
  }
}

// A push of a million rows is stored before it is answered, which takes longest of all requests.
const ANSWER_TIMEOUT_MS = 10 * 60_000
const RETRIES = 3

/** Sends one request by the client of the interface, and keeps the answer as it came. */
async function send(target: Target, request: ApiRequest): Promise<ServerAnswer> {
  const { options } = target
  if (options === null) throw new CommandFailure(target.silence, EXIT.network)
  const nobodyThere = new AbortController()
  let answer: ServerAnswer | null = null
  const casework = createCasework({
    url: target.url,
    ...(target.token === undefined ? {} : { token: target.token }),
    // A stream is sent once: to repeat it, all of it would have to be kept.
    retries: request.stream === undefined ? RETRIES : 0,
    async fetch(outgoing) {
      try {
        const response = await exchange(
          { ...target, options },
          outgoing,
          request.stream !== undefined,
        )
        const problem = response.headers.get('casework-problem')
        const bytes = Buffer.from(await response.clone().arrayBuffer())
        const text = bytes.toString('utf8')
        answer = { status: response.status, text, bytes, ...(problem === null ? {} : { problem }) }
        return response
      } catch (error) {
        answer = null
        if (error instanceof CommandFailure) nobodyThere.abort(error)
        throw error
      }
    },
  })
  try {
    await call(casework, request, nobodyThere.signal)
  } catch (error) {
    if (answer === null) throw explainSilence(error)
  }
  // The function above sets it, which the compiler does not see.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const got = answer as ServerAnswer | null
  if (got === null) throw new Error('an answer that was taken is kept')
  // Before the routes are up, the socket that locks the folder answers by itself, without a body.
  if (target.isStarting !== undefined && got.status === 503 && got.text === '') {
    throw new CommandFailure(target.isStarting, EXIT.failure)
  }
  return got
}

function explainSilence(error: unknown): unknown {
  return error instanceof CaseworkError ? error.cause : error
}

async function call(casework: Casework, request: ApiRequest, signal: AbortSignal): Promise<void> {
  // Paths and bodies come from the tables of the commands, not from the types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const calls = casework as unknown as Record<
    string,
    (path: string, given: object) => Promise<unknown>
  >
  const { method, path, json, bytes, stream, contentType } = request
  const body = stream === undefined ? (bytes ?? json) : Readable.toWeb(stream)
  await calls[method.toLowerCase()]?.(path, {
    signal,
    ...(body === undefined ? {} : { body }),
    ...(stream === undefined ? {} : { duplex: 'half' }),
    ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
  })
}

/** A `fetch` that knows sockets, waits long, and whose failures say what to do. */
async function exchange(
  { options, silence }: Pick<Target, 'silence'> & { readonly options: RequestOptions },
  request: Request,
  isStream: boolean,
): Promise<Response> {
  const bytes = isStream || request.body === null ? null : Buffer.from(await request.arrayBuffer())
  return await new Promise((resolve, reject) => {
    const url = new URL(request.url)
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest
    const headers = {
      ...Object.fromEntries(request.headers),
      ...(bytes === null ? {} : { 'content-length': String(bytes.length) }),
    }
    const outgoing = open(url, {
      ...options,
      method: request.method,
      headers,
      timeout: ANSWER_TIMEOUT_MS,
    })
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 0
        const isEmpty = status === 204 || status === 304
        const body = isEmpty ? null : Buffer.concat(chunks)
        resolve(new Response(body, { status, headers: readHeaders(incoming) }))
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(new CommandFailure(silence, EXIT.network)))
    outgoing.on('error', (error) => reject(explainNetwork(error, silence)))
    if (!isStream || request.body === null) {
      outgoing.end(bytes ?? undefined)
      return
    }
    Readable.from(request.body)
      .on('error', (error) => outgoing.destroy(error))
      .pipe(outgoing)
  })
}

function explainNetwork(error: Error, silence: string): Error {
  const isSilence = hasErrorCode(
    error,
    'ECONNREFUSED',
    'ENOENT',
    'ENOTFOUND',
    'ETIMEDOUT',
    'EHOSTUNREACH',
  )
  if (isSilence) return new CommandFailure(silence, EXIT.network, error)
  return hasErrorCode(error, 'ECONNRESET', 'EPIPE') ? connectionLost(error) : error
}

function connectionLost(cause: Error): CommandFailure {
  return new CommandFailure(
    'The server ended the connection before it answered, so it is not known whether it took the last request. An import can simply be repeated: what is there already stays as it is.',
    EXIT.network,
    cause,
  )
}

/**
 * The JSON of a 2xx answer; every other answer throws a failure with its sentence and the matching
 * exit code.
 */
export function readJsonAnswer(answer: ApiAnswer): Record<string, unknown> {
  if (answer.status >= 200 && answer.status < 300) return parseObject(answer.text) ?? {}
  throw new CommandFailure(explainRefusal(answer), chooseExitCodeForStatus(answer.status))
}

/** Why an answer of 300 or more refuses, in a sentence for people. */
export function explainRefusal({
  status,
  text,
  problem,
  remedy = 'Set CASEWORK_TOKEN to a valid token.',
}: ApiAnswer): string {
  const body = parseObject(text)
  const detail = body?.['detail']
  const errors = body?.['errors']
  const sentence =
    typeof errors === 'object' && errors !== null && '$' in errors ? errors.$ : detail
  const hint = status === 401 ? ` ${remedy}` : ''
  const reason = problem === undefined ? '' : ` (${problem})`
  return `${typeof sentence === 'string' ? nameFlags(sentence) : `The server answered ${status}${reason}.`}${listPlaces(errors)}${hint}`
}

/**
 * The places that a problem names (RFC 9457 section 3.2, our `errors`), as more of its sentence.
 */
function listPlaces(errors: unknown): string {
  if (!Array.isArray(errors) || errors.length === 0) return ''
  const places = errors.map((problem: unknown) => {
    const { path, reason, line } = Object(problem)
    return `${line === undefined ? '' : `line ${line}: `}${path} ${reason}`
  })
  return ` ${nameFlags(places.join('; '))}.`
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
