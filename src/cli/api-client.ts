// A small HTTP client for the commands: to CASEWORK_URL with CASEWORK_TOKEN, or over the socket in
// the data folder of a server on this machine. The generated SDK takes its place later.

import { existsSync } from 'node:fs'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import type { Config } from '../kernel/config.ts'
import { readEnvironment } from '../kernel/config.ts'
import { resolveSocketPath } from '../kernel/data-folder.ts'
import { hasErrorCode } from '../kernel/system-error.ts'
import { CommandFailure, chooseExitCodeForStatus, EXIT } from './exit-codes.ts'
import { nameFlags } from './wording.ts'

export interface ApiAnswer {
  readonly status: number
  readonly text: string
  /** The code of a failure, and the place that is wrong, where the server names them. */
  readonly problem?: string
}

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly json?: unknown
  /** Sent unchanged, with `contentType`. */
  readonly stream?: Readable
  readonly contentType?: string
}

export interface ApiClient {
  /** The target of the requests, for messages. */
  readonly place: string
  /** True for the server on the data folder of this machine. */
  readonly isLocal: boolean
  readonly send: (request: ApiRequest) => Promise<ApiAnswer>
}

/** Whether `--url` or CASEWORK_URL names a server that is not on this machine. */
export function namesRemoteServer(flags: Readonly<Record<string, unknown>>): boolean {
  const host = URL.parse(readServerUrl(flags) ?? '')?.hostname
  return host !== undefined && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(host)
}

/** The value of `--url`, or else of CASEWORK_URL; null when neither names a server. */
export function readServerUrl(flags: Readonly<Record<string, unknown>>): string | null {
  const given = flags['url'] ?? readEnvironment()['CASEWORK_URL']
  return typeof given === 'string' && given !== '' ? given : null
}

/** The client for `--url`, CASEWORK_URL, or the server that runs on the data folder. */
export function createApiClient(
  flags: Readonly<Record<string, unknown>>,
  config: Config,
): ApiClient {
  const given = readServerUrl(flags)
  if (given === null) {
    return {
      place: `the server on ${config.dataDir}`,
      isLocal: true,
      send: (request) => askLocally(config.dataDir, request),
    }
  }
  if (!URL.canParse(given) || !/^https?:/.test(given)) {
    throw new CommandFailure(`"${given}" is not an http or https address.`, EXIT.usage)
  }
  const base = new URL(given)
  const token = readEnvironment()['CASEWORK_TOKEN']
  if (token === '') {
    throw new CommandFailure(
      'CASEWORK_TOKEN is empty: set it to a token of the server, or unset it.',
      EXIT.credential,
    )
  }
  return {
    place: base.origin,
    isLocal: false,
    send: (request) =>
      exchange(
        {
          protocol: base.protocol,
          hostname: base.hostname.replace(/^\[|\]$/g, ''),
          port: base.port,
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        },
        { ...request, path: `${base.pathname.replace(/\/$/, '')}${request.path}` },
        `${base.origin} does not answer.`,
      ),
  }
}

async function askLocally(dataDir: string, request: ApiRequest): Promise<ApiAnswer> {
  const silence = `No server is running on ${dataDir}: start it with "npm start", or name one with CASEWORK_URL.`
  // Without the folder there is no socket in it, and no server.
  if (!existsSync(dataDir)) throw new CommandFailure(silence, EXIT.network)
  const answer = await exchange(
    { socketPath: resolveSocketPath(dataDir), headers: {} },
    request,
    silence,
  )
  // Before the routes are up, the socket that locks the folder answers by itself, without a body.
  if (answer.status === 503 && answer.text === '') {
    throw new CommandFailure(
      `The server on ${dataDir} is still starting, or is stopping; try again in a moment.`,
      EXIT.failure,
    )
  }
  return answer
}

// A push of a million rows is stored before it is answered, which takes longest of all requests.
const ANSWER_TIMEOUT_MS = 10 * 60_000

interface Target extends RequestOptions {
  readonly headers: Readonly<Record<string, string>>
}

function exchange(options: Target, request: ApiRequest, silence: string): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const body = request.json === undefined ? undefined : JSON.stringify(request.json)
    const contentType = request.contentType ?? (body === undefined ? undefined : 'application/json')
    const send = options.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = send(
      {
        ...options,
        method: request.method,
        path: request.path,
        headers: {
          ...options.headers,
          ...(contentType === undefined ? {} : { 'content-type': contentType }),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          accept: 'application/json, application/problem+json',
        },
        timeout: ANSWER_TIMEOUT_MS,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const problem = response.headers['casework-problem']
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            ...(typeof problem === 'string' ? { problem } : {}),
          })
        })
        response.on('error', reject)
      },
    )
    outgoing.on('timeout', () => outgoing.destroy(new CommandFailure(silence, EXIT.network)))
    outgoing.on('error', (error) => {
      const isSilence = hasErrorCode(
        error,
        'ECONNREFUSED',
        'ENOENT',
        'ENOTFOUND',
        'ETIMEDOUT',
        'EHOSTUNREACH',
      )
      if (isSilence) reject(new CommandFailure(silence, EXIT.network, error))
      else if (hasErrorCode(error, 'ECONNRESET', 'EPIPE')) reject(connectionLost(error))
      else reject(error)
    })
    if (request.stream === undefined) outgoing.end(body)
    else request.stream.on('error', (error) => outgoing.destroy(error)).pipe(outgoing)
  })
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
  const parsed = parseObject(answer.text)
  if (answer.status >= 200 && answer.status < 300) return parsed ?? {}
  throw new CommandFailure(explainRefusal(answer, parsed), chooseExitCodeForStatus(answer.status))
}

function explainRefusal(
  { status, problem }: ApiAnswer,
  body: Record<string, unknown> | null,
): string {
  const detail = body?.['detail']
  const errors = body?.['errors']
  const sentence =
    typeof errors === 'object' && errors !== null && '$' in errors ? errors.$ : detail
  const hint = status === 401 ? ' Set CASEWORK_TOKEN to a valid token.' : ''
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
  return ` ${places.join('; ')}.`
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
