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
  /** What a person does when the credential of the request is refused. */
  readonly remedy?: string
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
  /** How long the answer may take, repeats included; without it each try has ten minutes. */
  readonly timeoutMs?: number
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
  request: Request,
): Promise<Response> {
  const { url, method, headers, signal } = request
  return await new Promise((resolve, reject) => {
    const open = url.startsWith('https:') ? httpsRequest : httpRequest
    open(new URL(url), { ...options, method, headers: Object.fromEntries(headers), signal })
      .on('response', (incoming) => {
        const status = incoming.statusCode ?? 0
        resolve(new Response(Readable.toWeb(incoming), { status, headers: readHeaders(incoming) }))
      })
      // This holds the request, whose signal aborts nothing once it is collected (undici).
      .on('error', (error) =>
        reject(request.signal.aborted ? error : explainNetwork(error, silence)),
      )
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
  /** What is said when the token is refused. */
  readonly remedy?: string
}

function findRemoteTarget({ url, token, profile }: ServerChoice): Target {
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
    // A profile has its own token, which stands above CASEWORK_TOKEN.
    ...(profile === null
      ? {}
      : { remedy: `Log in again: npx casework login ${url} --name ${profile}` }),
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
  const isStream = request.stream !== undefined
  const end = new AbortController()
  const deadline = setDeadline(target, request, end)
  let answer: ServerAnswer | null = null
  const casework = createCasework({
    url: target.url,
    ...(target.token === undefined ? {} : { token: target.token }),
    // A stream is sent once: to repeat it, all of it would have to be kept.
    retries: isStream ? 0 : RETRIES,
    async fetch(outgoing) {
      try {
        const response = await exchange({ ...target, options }, outgoing, {
          isStream,
          signal: end.signal,
        })
        answer = await readAnswer(target, response)
        return response
      } catch (error) {
        answer = null
        // What has a sentence for people is not tried again.
        if (error instanceof CommandFailure) end.abort(error)
        throw error
      }
    },
  })
  try {
    await call(casework, request, end.signal)
  } catch (error) {
    if (answer === null) throw explainSilence(error)
  } finally {
    clearTimeout(deadline)
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

function setDeadline(
  target: Target,
  { timeoutMs }: ApiRequest,
  end: AbortController,
): NodeJS.Timeout | undefined {
  if (timeoutMs === undefined) return undefined
  return setTimeout(() => end.abort(tooSlow(target, timeoutMs)), timeoutMs)
}

async function readAnswer(target: Target, response: Response): Promise<ServerAnswer> {
  const problem = response.headers.get('casework-problem')
  // The client reads the body itself.
  const bytes = Buffer.from(await response.clone().arrayBuffer())
  return {
    status: response.status,
    text: bytes.toString('utf8'),
    bytes,
    ...(problem === null ? {} : { problem }),
    ...(target.remedy === undefined ? {} : { remedy: target.remedy }),
  }
}

function tooSlow({ place }: Pick<Target, 'place'>, timeoutMs: number): CommandFailure {
  const sentence = `There is no answer of ${place} within ${timeoutMs / 1_000} seconds.`
  return new CommandFailure(sentence, EXIT.network)
}

/** The client wraps what failed, and an aborted request the reason that it was aborted for. */
function explainSilence(error: unknown): unknown {
  if (error instanceof CaseworkError) return error.cause
  return error instanceof Error && error.cause instanceof CommandFailure ? error.cause : error
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
  {
    options,
    place,
    silence,
  }: Pick<Target, 'place' | 'silence'> & { readonly options: RequestOptions },
  request: Request,
  // Not the signal of the request, which aborts nothing once undici's request is collected.
  { isStream, signal }: { readonly isStream: boolean; readonly signal: AbortSignal },
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
      signal,
    })
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', (error) => reject(explainNetwork(error, silence)))
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 0
        const isEmpty = status === 204 || status === 304
        const body = isEmpty ? null : Buffer.concat(chunks)
        resolve(new Response(body, { status, headers: readHeaders(incoming) }))
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(tooSlow({ place }, ANSWER_TIMEOUT_MS)))
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
