// The one failure of the client: what the server says of a refusal, in whichever of its three forms
// it says it (problem details, the envelope of threat intelligence, no body), and no answer at all.

import type { Schemas } from './schema.ts'

export type ProblemLocation = NonNullable<Schemas['Problem']['errors']>[number]

export interface FailedRequest {
  readonly method: string
  readonly url: string
}

interface FailureParts {
  readonly status: number
  readonly code: string | null
  readonly field: string | null
  readonly reason: string | null
  readonly locations: readonly ProblemLocation[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly body: unknown
}

/** A call that has no result. `message` is the sentence of the server where it gives one. */
export class CaseworkError extends Error {
  override readonly name = 'CaseworkError'
  readonly method: string
  readonly url: string
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  /** The stable code, as in docs/reference/errors.md; null when the server names none. */
  readonly code: string | null
  /** A JSON pointer to the first wrong location of the request. */
  readonly field: string | null
  /** What the header `casework-reason` says, such as the role that is missing. */
  readonly reason: string | null
  /** Every wrong location that problem details name. */
  readonly locations: readonly ProblemLocation[]
  /** The log of the server has the request under it. */
  readonly requestId: string | null
  /** When the server asks to come back, in seconds from its answer. */
  readonly retryAfterSeconds: number | null
  /** The answer as it was read: an object, a text, or undefined when it was empty. */
  readonly body: unknown

  constructor(message: string, request: FailedRequest, parts: FailureParts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.method = request.method
    this.url = request.url
    this.status = parts.status
    this.code = parts.code
    this.field = parts.field
    this.reason = parts.reason
    this.locations = parts.locations
    this.requestId = parts.requestId
    this.retryAfterSeconds = parts.retryAfterSeconds
    this.body = parts.body
  }
}

/** The failure that an answer of 300 or more tells. */
export function readFailure(
  request: FailedRequest,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: unknown,
): CaseworkError {
  const problem = readMembers(body)
  const named = /^([A-Z][A-Z0-9_]*)(?:; field=(\S+))?/.exec(headers.get('casework-problem') ?? '')
  const code = named?.[1] ?? readText(problem['code'])
  const locations = readLocations(problem['errors'])
  const sentence = readText(problem['detail']) ?? readText(readMembers(problem['errors'])['$'])
  const plain = `The server answered ${status}${code === null ? '' : ` (${code})`}.`
  return new CaseworkError(sentence ?? plain, request, {
    status,
    code,
    field: locations[0]?.path ?? decodeField(named?.[2]),
    reason: headers.get('casework-reason'),
    locations,
    requestId: headers.get('x-request-id') ?? readText(problem['request_id']),
    retryAfterSeconds: readRetryAfter(headers),
    body,
  })
}

/** The failure of a request that no answer came to. */
export function readSilence(request: FailedRequest, cause: unknown): CaseworkError {
  const message = `${request.method} ${new URL(request.url).origin} has no answer.`
  return new CaseworkError(message, request, { ...NO_ANSWER }, cause)
}

const NO_ANSWER: FailureParts = {
  status: 0,
  code: null,
  field: null,
  reason: null,
  locations: [],
  requestId: null,
  retryAfterSeconds: null,
  body: undefined,
}

/** The Retry-After of an answer in seconds; null when there is none that can be read. */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000)
}

function decodeField(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readLocations(value: unknown): readonly ProblemLocation[] {
  return Array.isArray(value)
    ? value.filter((location) => readMembers(location)['path'] !== undefined)
    : []
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
