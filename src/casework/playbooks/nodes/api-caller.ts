// API Caller: sends one HTTPS request through the guarded client, and keeps the answer in the vars.

import { type Static, Type } from 'typebox'
import type { OutboundAnswer } from '../../../kernel/outbound/outbound-outcome.ts'
import { shapeRequest } from '../../../kernel/outbound/shape-request.ts'
import { isJsonObject } from '../../../values/json-value.ts'
import {
  act,
  type CallDeps,
  type CallOutcome,
  type ConfigReading,
  type DueCall,
  defineNodeKind,
} from '../node-kind.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const URL_LENGTH_MAX = 2_000
const BODY_LENGTH_MAX = 65_536
const TIMEOUT_SECONDS = 10
const TIMEOUT_SECONDS_MAX = 30
// What an answer may bring, and what of it is kept for later nodes.
const ANSWER_BYTES_MAX = 262_144
const KEPT_BYTES_MAX = 16_384
// Statuses that may pass: RFC 9110 sections 15.5.9 and 15.6, RFC 8470, RFC 6585.
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])
// Nothing hides the config of a node yet.
const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-api-key'])
const KEY_HEADER = 'idempotency-key'

const ApiCallerConfig = Type.Object(
  {
    method: Type.Union(
      METHODS.map((method) => Type.Literal(method)),
      { description: 'Every method gets the key of the effect as Idempotency-Key.' },
    ),
    url: Type.String({
      minLength: 1,
      maxLength: URL_LENGTH_MAX,
      description: 'An https URL of a public address, or one that CASEWORK_OUTBOUND_ALLOW opens.',
    }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Headers without secrets: everyone who reads the playbook sees them.',
      }),
    ),
    body: Type.Optional(Type.Unknown({ description: 'Sent as JSON.' })),
    timeout_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: TIMEOUT_SECONDS_MAX, default: TIMEOUT_SECONDS }),
    ),
  },
  { additionalProperties: false },
)

interface ApiRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly timeoutMs: number
}

export const API_CALLER = defineNodeKind({
  kind: 'api_caller',
  title: 'API Caller',
  description:
    'Sends a request to another system, and keeps status and body of the answer in `vars.<id of the node>`. A status of 2xx takes the path success. 408, 425, 429, 5xx and a target that is not reached are repeated. Every other status, and the last attempt, take the path error.',
  config: ApiCallerConfig,
  read: readRequest,
  paths: () => ['success', 'error'],
  decide: act,
  call: callApi,
  example: {
    config: {
      method: 'POST',
      url: 'https://api.example/v1/suspend',
      body: { reason: 'abuse' },
    },
  },
})

function readRequest(
  config: Static<typeof ApiCallerConfig>,
  { refuse }: ConfigReading,
): ApiRequest | null {
  const { method, url, headers = {}, body, timeout_seconds: seconds = TIMEOUT_SECONDS } = config
  const parsed = URL.parse(url)
  if (parsed === null || !['https:', 'http:'].includes(parsed.protocol)) {
    return refuse('url', 'must be an absolute https URL')
  }
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (lower === KEY_HEADER) return refuse(['headers', name], 'is sent by the engine itself')
    if (SECRET_HEADERS.has(lower)) {
      return refuse(['headers', name], 'would hold a secret, which nodes cannot keep yet')
    }
  }
  const text = body === undefined ? null : JSON.stringify(body)
  if (text !== null && text.length > BODY_LENGTH_MAX) {
    return refuse('body', `must be at most ${BODY_LENGTH_MAX} characters of JSON`)
  }
  const shaped = shapeRequest({ method, headers }, BODY_LENGTH_MAX)
  if (shaped.kind === 'refused') {
    return refuse('headers', 'have a name or value that cannot be sent')
  }
  return { method, url, headers, body: text, timeoutMs: seconds * 1_000 }
}

async function callApi(
  { outbound, allowsPlainHttp }: CallDeps,
  { config, key, nodeId, signal }: DueCall<ApiRequest>,
): Promise<CallOutcome> {
  const outcome = await outbound.request({
    method: config.method,
    url: config.url,
    headers: {
      ...(config.body === null ? {} : { 'content-type': 'application/json' }),
      ...config.headers,
      [KEY_HEADER]: key,
    },
    ...(config.body === null ? {} : { body: config.body }),
    purpose: 'playbook-api',
    timeoutMs: config.timeoutMs,
    maxBytes: ANSWER_BYTES_MAX,
    redirectsMax: 0,
    allowHttp: allowsPlainHttp(config.url),
    signal,
  })
  if (outcome.kind === 'refused') {
    return { kind: 'refused', reason: 'request_refused', output: { cause: outcome.reason } }
  }
  if (outcome.kind === 'failed') {
    return { kind: 'retry', reason: 'not_reached', output: { cause: outcome.reason } }
  }
  const { status } = outcome
  if (status >= 200 && status < 300) {
    return {
      kind: 'done',
      path: 'success',
      output: { status },
      vars: { [nodeId]: { status, body: readBody(outcome) } },
    }
  }
  if (!PASSING.has(status) && status < 500) {
    return { kind: 'refused', reason: 'status_refused', output: { status } }
  }
  const afterMs = readRetryAfter(outcome)
  return {
    kind: 'retry',
    reason: 'status_trouble',
    output: { status },
    ...(afterMs === null ? {} : { afterMs }),
  }
}

/** The JSON of the answer; null for another type, and for a body that is too large to be kept. */
function readBody({ headers, body }: OutboundAnswer): unknown {
  const type = headers.get('content-type') ?? ''
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(type)
  if (!isJson || body.length > KEPT_BYTES_MAX) return null
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isJsonObject(value) || Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Seconds only; a date is rare, and clocks differ. */
function readRetryAfter({ headers }: OutboundAnswer): number | null {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null
}
