// API Caller: sends one HTTPS request through the guarded client, with values of the case, and
// keeps the answer in the vars.

import { type Static, Type } from 'typebox'
import type { OutboundAnswer } from '../../../kernel/outbound/outbound-outcome.ts'
import { shapeRequest } from '../../../kernel/outbound/shape-request.ts'
import { isJsonObject } from '../../../values/json-value.ts'
import {
  act,
  type CallDeps,
  type CallOutcome,
  type ConfigReading,
  type Due,
  type DueCall,
  defineNodeKind,
  type Refused,
  type SimulatedCall,
} from '../node-kind.ts'
import { findMetadataProblem } from './change-cases.ts'
import { classifyAnswer } from './classify-answer.ts'
import {
  createTemplateView,
  type JsonTemplate,
  readJsonTemplate,
  readTextTemplate,
  readUrlTemplate,
  type TextTemplate,
  type UrlTemplate,
} from './request-template.ts'
import { maskSecret, openSecrets, SecretMember, type SecretReference } from './secret-config.ts'
import { createValueReader, refuseValue, ValueTrouble } from './value-config.ts'

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
      description:
        'An https URL of a public address, or one that CASEWORK_OUTBOUND_ALLOW opens. Path and query may have LiquidJS templates over case, event, events, customer, vars, run and now: `/hosts/{{ event.ip }}?case={{ case.id }}`. Every value is percent-encoded; one that is empty, or a segment `.` or `..` of the path, takes the path error.',
    }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), SecretMember]), {
        description:
          'Everyone who reads the playbook sees them, but for {"secret": "…"}: a secret of the tenant by its name. Texts may have templates.',
      }),
    ),
    keep: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: KEPT_MAX,
        description:
          'What of a JSON answer is kept, instead of the whole body: names, and JSON pointers such as /data/id.',
      }),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: KEPT_MAX,
        description:
          'Members of the metadata of the case that a JSON answer sets: names, and JSON pointers such as /data/id. Null, or nothing at the pointer, takes the member away; others stay.',
      }),
    ),
    body: Type.Optional(
      Type.Unknown({
        description:
          'Sent as JSON. Its strings may have templates, and stay strings whatever a value has; a value may be {"cel": "…"}.',
      }),
    ),
    timeout_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: TIMEOUT_SECONDS_MAX, default: TIMEOUT_SECONDS }),
    ),
  },
  { additionalProperties: false },
)

interface ApiRequest {
  readonly method: string
  readonly url: UrlTemplate
  readonly headers: readonly (readonly [string, TextTemplate | SecretReference])[]
  /** Names and JSON pointers; null keeps the whole body. */
  readonly keep: Readonly<Record<string, string>> | null
  /** Names and JSON pointers; empty leaves the metadata of the case as it is. */
  readonly metadata: Readonly<Record<string, string>>
  readonly body: JsonTemplate | null
  readonly timeoutMs: number
}

export const API_CALLER = defineNodeKind({
  kind: 'api_caller',
  title: 'API Caller',
  description:
    'Sends a request to another system, and keeps status and body of the answer, or the members that `keep` names, in `vars.<id of the node>`; members that `metadata` names are set in the metadata of the case. A status of 2xx takes the path success. 408, 425, 429, 5xx and a target that is not reached are repeated. Every other status, and the last attempt, take the path error.',
  config: ApiCallerConfig,
  read: readRequest,
  paths: () => ['success', 'error'],
  needsFacts: true,
  decide: act,
  call: callApi,
  targetUrl: ({ url }) => url.constant,
  simulate: showRequest,
  example: {
    config: {
      method: 'POST',
      url: 'https://api.example/v1/customers/{{ customer.id }}/suspend',
      headers: { authorization: { secret: 'ticket-key', prefix: 'Bearer ' } },
      body: { reason: 'Case {{ case.id }}', events: { cel: 'case.event_count' } },
      keep: { ticket: '/data/id' },
      metadata: { ticket: '/data/id' },
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
    metadata = {},
    timeout_seconds: seconds = TIMEOUT_SECONDS,
  } = config
  const target = readUrlTemplate(url, 'url', reading)
  if (target === null || !areHeadersSound(headers, reading)) return null
  const sent = readHeaders(headers, reading)
  if (sent === null) return null
  if (body !== undefined && JSON.stringify(body).length > BODY_LENGTH_MAX) {
    return refuse('body', `must be at most ${BODY_LENGTH_MAX} characters of JSON`)
  }
  const content = body === undefined ? null : readJsonTemplate(body, ['body'], reading)
  if (body !== undefined && content === null) return null
  for (const [name, pointer] of Object.entries(keep ?? {})) {
    if (!KEPT_NAME.test(name) || name === 'status') return refuse(['keep', name], KEPT_RULE)
    if (!isJsonPointer(pointer)) return refuse(['keep', name], 'must be a JSON pointer: /a/b/0')
  }
  const names = Object.keys(metadata)
  const problem = findMetadataProblem(Object.fromEntries(names.map((name) => [name, ''])))
  if (problem !== null) return refuse('metadata', problem)
  const stranger = names.find((name) => !isJsonPointer(metadata[name] ?? ''))
  if (stranger !== undefined) {
    return refuse(['metadata', stranger], 'must be a JSON pointer: /a/b/0')
  }
  const timeoutMs = seconds * 1_000
  const kept = { keep: keep ?? null, metadata }
  return { method, url: target, headers: sent, body: content, ...kept, timeoutMs }
}

type GivenHeaders = Readonly<Record<string, string | SecretReference>>

function readHeaders(given: GivenHeaders, reading: ConfigReading): ApiRequest['headers'] | null {
  const headers: (readonly [string, TextTemplate | SecretReference])[] = []
  for (const [name, value] of Object.entries(given)) {
    const read =
      typeof value === 'string' ? readTextTemplate(value, ['headers', name], reading) : value
    if (read === null) return null
    headers.push([name, read])
  }
  return headers
}

function areHeadersSound(headers: GivenHeaders, { refuse }: ConfigReading): boolean {
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

function showRequest(due: Due<ApiRequest>): SimulatedCall | Refused {
  const filled = fillRequest(due)
  if (filled.kind === 'refused') return filled
  const { url, body } = filled
  const named = filled.headers.map(([name, value]) => [name, maskSecret(value)])
  const headers = { ...Object.fromEntries(named), [KEY_HEADER]: due.key }
  const { method } = due.config
  return { kind: 'call', request: { method, url, headers, body: JSON.parse(body ?? 'null') } }
}

async function callApi(deps: CallDeps, due: DueCall<ApiRequest>): Promise<CallOutcome> {
  const { config, key, scope, signal } = due
  const filled = fillRequest(due)
  if (filled.kind === 'refused') return filled
  const { url, headers, body } = filled
  const secrets = await openSecrets(
    deps,
    scope,
    headers.map(([, value]) => value),
  )
  if (secrets.kind === 'refused') return secrets
  const outcome = await deps.outbound.request({
    method: config.method,
    url,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(headers.map(([name, value]) => [name, secrets.complete(value)])),
      [KEY_HEADER]: key,
    },
    ...(body === null ? {} : { body }),
    purpose: 'playbook-api',
    timeoutMs: config.timeoutMs,
    maxBytes: ANSWER_BYTES_MAX,
    redirectsMax: 0,
    allowHttp: deps.allowsPlainHttp(url),
    signal,
  })
  return classifyAnswer(outcome, deps.clock.nowMs(), (answer) =>
    keepAnswer(answer, due, secrets.hide),
  )
}

interface FilledRequest {
  readonly kind: 'filled'
  readonly url: string
  readonly headers: readonly (readonly [string, string | SecretReference])[]
  readonly body: string | null
}

/** The request with the values of the case. */
function fillRequest({ config, facts }: Due<ApiRequest>): FilledRequest | Refused {
  try {
    const view = createTemplateView(facts)
    const headers = config.headers.map(([name, value]) => {
      return [name, 'render' in value ? checkHeader(value.render(view)) : value] as const
    })
    const { body } = config
    const text = body && JSON.stringify(body.build(view, createValueReader(facts)))
    if (text !== null && text.length > BODY_LENGTH_MAX) {
      throw new ValueTrouble(`the body is longer than ${BODY_LENGTH_MAX} characters of JSON`)
    }
    return { kind: 'filled', url: config.url.render(view), headers, body: text }
  } catch (error) {
    return refuseValue(error)
  }
}

// Visible characters and spaces of ASCII, as the client takes them.
function checkHeader(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value
  throw new ValueTrouble('a value of a header has a character that headers cannot have')
}

function keepAnswer(
  answer: OutboundAnswer,
  { config: { keep, metadata }, nodeId }: DueCall<ApiRequest>,
  hide: (value: unknown) => unknown,
): CallOutcome {
  const { status } = answer
  const body = hide(readJson(answer))
  const setMetadata = readMembers(body, metadata)
  const problem = findMetadataProblem(setMetadata)
  if (problem !== null) {
    const output = { status, explanation: `metadata ${problem}` }
    return { kind: 'refused', reason: 'value_failed', output }
  }
  const done = { kind: 'done', path: 'success', output: { status }, setMetadata } as const
  if (keep === null) {
    const isSmall = answer.body.length <= KEPT_BYTES_MAX
    return { ...done, vars: { [nodeId]: { status, body: isSmall ? body : null } } }
  }
  const kept = readMembers(body, keep)
  if (Buffer.byteLength(JSON.stringify(kept)) > KEPT_BYTES_MAX) {
    return { kind: 'refused', reason: 'answer_too_large', output: { status } }
  }
  return { ...done, vars: { [nodeId]: { status, ...kept } } }
}

function readMembers(
  body: unknown,
  pointers: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const members = Object.entries(pointers).map(([name, at]) => [name, readPointer(body, at)])
  return Object.fromEntries(members)
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
