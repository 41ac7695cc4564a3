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
import { classifyAnswer } from './classify-answer.ts'
import { openSecrets, SecretMember, type SecretReference } from './secret-config.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const URL_LENGTH_MAX = 2_000
const BODY_LENGTH_MAX = 65_536
const TIMEOUT_SECONDS = 10
const TIMEOUT_SECONDS_MAX = 30
// What an answer may bring, and what of it is kept for later nodes.
const ANSWER_BYTES_MAX = 262_144
const KEPT_BYTES_MAX = 16_384
const KEPT_MAX = 20
const KEPT_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
const KEPT_RULE = 'must be a name of letters, digits and underscores, and not status'
const POINTER_LENGTH_MAX = 500
// A graph is shown to everyone who may read playbooks.
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
      Type.Record(Type.String(), Type.Union([Type.String(), SecretMember]), {
        description:
          'Everyone who reads the playbook sees them, but for {"secret": "…"}: a secret of the tenant by its name.',
      }),
    ),
    keep: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: KEPT_MAX,
        description:
          'What of a JSON answer is kept, instead of the whole body: names, and JSON pointers such as /data/id.',
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
  readonly headers: Readonly<Record<string, string | SecretReference>>
  /** Names and JSON pointers; null keeps the whole body. */
  readonly keep: Readonly<Record<string, string>> | null
  readonly body: string | null
  readonly timeoutMs: number
}

export const API_CALLER = defineNodeKind({
  kind: 'api_caller',
  title: 'API Caller',
  description:
    'Sends a request to another system, and keeps status and body of the answer, or the members that `keep` names, in `vars.<id of the node>`. A status of 2xx takes the path success. 408, 425, 429, 5xx and a target that is not reached are repeated. Every other status, and the last attempt, take the path error.',
  config: ApiCallerConfig,
  read: readRequest,
  paths: () => ['success', 'error'],
  decide: act,
  call: callApi,
  example: {
    config: {
      method: 'POST',
      url: 'https://api.example/v1/suspend',
      headers: { authorization: { secret: 'ticket-key', prefix: 'Bearer ' } },
      body: { reason: 'abuse' },
      keep: { ticket: '/data/id' },
    },
  },
})

function readRequest(
  config: Static<typeof ApiCallerConfig>,
  reading: ConfigReading,
): ApiRequest | null {
  const { refuse } = reading
  const {
    method,
    url,
    headers = {},
    body,
    keep,
    timeout_seconds: seconds = TIMEOUT_SECONDS,
  } = config
  const parsed = URL.parse(url)
  if (parsed === null || !['https:', 'http:'].includes(parsed.protocol)) {
    return refuse('url', 'must be an absolute https URL')
  }
  if (!areHeadersSound(headers, reading)) return null
  const text = body === undefined ? null : JSON.stringify(body)
  if (text !== null && text.length > BODY_LENGTH_MAX) {
    return refuse('body', `must be at most ${BODY_LENGTH_MAX} characters of JSON`)
  }
  for (const [name, pointer] of Object.entries(keep ?? {})) {
    if (!KEPT_NAME.test(name) || name === 'status') return refuse(['keep', name], KEPT_RULE)
    if (!isJsonPointer(pointer)) return refuse(['keep', name], 'must be a JSON pointer: /a/b/0')
  }
  return { method, url, headers, body: text, keep: keep ?? null, timeoutMs: seconds * 1_000 }
}

function areHeadersSound(headers: ApiRequest['headers'], { refuse }: ConfigReading): boolean {
  const sample: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (lower === KEY_HEADER) {
      refuse(['headers', name], 'is sent by the engine itself')
      return false
    }
    if (SECRET_HEADERS.has(lower) && typeof value === 'string') {
      refuse(['headers', name], 'would show a secret; give {"secret": "the name of one"}')
      return false
    }
    sample[name] = typeof value === 'string' ? value : (value.prefix ?? '')
  }
  if (shapeRequest({ method: 'GET', headers: sample }, BODY_LENGTH_MAX).kind === 'fit') return true
  refuse('headers', 'have a name or value that cannot be sent')
  return false
}

async function callApi(deps: CallDeps, due: DueCall<ApiRequest>): Promise<CallOutcome> {
  const { config, key, scope, signal } = due
  const secrets = await openSecrets(deps, scope, Object.values(config.headers))
  if (secrets.kind === 'refused') return secrets
  const outcome = await deps.outbound.request({
    method: config.method,
    url: config.url,
    headers: {
      ...(config.body === null ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        Object.entries(config.headers).map(([name, value]) => [name, secrets.complete(value)]),
      ),
      [KEY_HEADER]: key,
    },
    ...(config.body === null ? {} : { body: config.body }),
    purpose: 'playbook-api',
    timeoutMs: config.timeoutMs,
    maxBytes: ANSWER_BYTES_MAX,
    redirectsMax: 0,
    allowHttp: deps.allowsPlainHttp(config.url),
    signal,
  })
  return classifyAnswer(outcome, deps.clock.nowMs(), (answer) =>
    keepAnswer(answer, due, secrets.hide),
  )
}

function keepAnswer(
  answer: OutboundAnswer,
  { config: { keep }, nodeId }: DueCall<ApiRequest>,
  hide: (value: unknown) => unknown,
): CallOutcome {
  const { status } = answer
  const body = hide(readJson(answer))
  const isSmall = answer.body.length <= KEPT_BYTES_MAX
  if (keep === null) {
    const vars = { [nodeId]: { status, body: isSmall ? body : null } }
    return { kind: 'done', path: 'success', output: { status }, vars }
  }
  const members = Object.entries(keep).map(([name, pointer]) => [name, readPointer(body, pointer)])
  const kept = Object.fromEntries(members)
  if (Buffer.byteLength(JSON.stringify(kept)) > KEPT_BYTES_MAX) {
    return { kind: 'refused', reason: 'answer_too_large', output: { status } }
  }
  return {
    kind: 'done',
    path: 'success',
    output: { status },
    vars: { [nodeId]: { status, ...kept } },
  }
}

/** The JSON of the answer; null for another type. */
function readJson({ headers, body }: OutboundAnswer): unknown {
  const type = headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return null
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isJsonObject(value) || Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** RFC 6901. */
function isJsonPointer(text: string): boolean {
  return text.length <= POINTER_LENGTH_MAX && /^(?:\/(?:[^~/]|~[01])*)+$/.test(text)
}

/** The value at the pointer; null where there is none. */
function readPointer(value: unknown, pointer: string): unknown {
  let found = value
  for (const step of pointer.slice(1).split('/')) {
    if (typeof found !== 'object' || found === null) return null
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = Object.hasOwn(found, name) ? Reflect.get(found, name) : null
  }
  return found
}
