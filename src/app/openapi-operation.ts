// One route as an operation of the OpenAPI document.

import { STATUS_CODES } from 'node:http'
import { isTaggedWhole } from '../kernel/http/answer-unchanged.ts'
import { PROBLEM_HEADER } from '../kernel/http/problem-header.ts'
import type { Access, ResponseDescription, Route } from '../kernel/http/route.ts'
import { MEMBER_DESCRIPTION, SCHEMA_NAME } from '../vocabulary/named-schema.ts'
import type { Json } from './openapi.ts'
import { findExamples } from './openapi-examples.ts'
import { isRecord, presentSchema } from './openapi-schema.ts'
import { chooseTag } from './openapi-tags.ts'
import { PARAMETER_WORDS } from './openapi-words.ts'

/** The parameters to which operations refer. */
export const COMMON_PARAMETERS: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A name that the client gives to this request. A repeat under it within 24 hours has no effect and gets the first answer, with the header `Idempotent-Replayed`. Another request under it is 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '6f1c1a52-0b6f-4c52-9d0e-0a4f2f0f7d11',
  },
}

export function buildOperation(route: Route): Json {
  const parameters = [
    ...presentParameters(route.path, route.params, 'path'),
    ...presentParameters(route.path, route.query, 'query'),
    ...(route.idempotency === undefined
      ? []
      : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
  ]
  return {
    operationId: route.operationId,
    tags: [chooseTag(route)],
    summary: route.summary,
    description: presentDescription(route),
    ...presentSecurity(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...presentRequestBody(route),
    responses: presentResponses(route),
  }
}

function presentParameters(path: string, schema: unknown, place: 'path' | 'query'): Json[] {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  const required: unknown = isRecord(schema) ? schema['required'] : undefined
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, property]) => {
    const presented = presentSchema(isRecord(property) ? property : {})
    const { [MEMBER_DESCRIPTION]: own, ...rest } = isRecord(presented) ? presented : {}
    const { description, ...bare } = rest
    // One with a name is a component, which keeps its description.
    const shown = SCHEMA_NAME in rest ? rest : bare
    const text = own ?? description ?? findWord(path, name, place)
    return {
      name,
      in: place,
      required: place === 'path' || (Array.isArray(required) && required.includes(name)),
      ...(text === undefined ? {} : { description: text }),
      schema: shown,
    }
  })
}

/** By the part of the path before it where a name means several things. */
function findWord(path: string, name: string, place: 'path' | 'query'): string | undefined {
  const before = place === 'path' ? path.split(`/{${name}}`)[0] : path
  const part = (before ?? '').split('/').at(-1)?.replaceAll(/[{}]/g, '') ?? ''
  return PARAMETER_WORDS[`${part}${place === 'path' ? '/' : '?'}${name}`] ?? PARAMETER_WORDS[name]
}

/** With the scopes in words: readers of the reference see no extension. */
function presentDescription({ description, summary, access }: Route): string {
  const text = description ?? `${summary}.`
  const ways = listScopeSets(access).map((scopes) =>
    scopes.map((scope) => `\`${scope}\``).join(' and '),
  )
  return ways.length === 0 || ways[0] === '' ? text : `${text}\n\nScope: ${ways.join(', or ')}.`
}

/**
 * Tokens have scopes and OAuth is not spoken, so that no scheme of OpenAPI can list them: they
 * stand in `x-scopes`, as sets each of which opens the operation.
 */
function presentSecurity(route: Route): Json {
  const sets = listScopeSets(route.access)
  if (sets.length === 0) return { security: [] }
  const ways: Json[] = [{ bearer: [] }]
  if (route.group === 'intel') ways.push({ apiKey: [] })
  // The empty entry says that no credential is needed, unless CASEWORK_INTEL_ACCESS=token.
  const security = route.access.kind === 'open-intel' ? [{}, ...ways] : ways
  return { security, 'x-scopes': sets }
}

/** Each set opens the route; none for a route that is public. */
function listScopeSets(access: Access): readonly (readonly string[])[] {
  switch (access.kind) {
    case 'public':
      return []
    case 'any-token':
      return [[]]
    case 'open-intel':
    case 'scope':
      return [[access.scope]]
    case 'one-of':
      return access.ways
  }
}

function presentRequestBody(route: Route): Json {
  if (route.body === undefined) return {}
  const schema = presentSchema(route.body)
  const example = findExamples(route).request
  const content = (route.consumes ?? ['application/json']).map((mediaType) => [
    mediaType,
    mediaType === 'application/json'
      ? { schema, ...(example === undefined ? {} : { example }) }
      : { schema: { type: 'string' } },
  ])
  return { requestBody: { required: true, content: Object.fromEntries(content) } }
}

function presentResponses(route: Route): Json {
  const responses: Record<string, unknown> = {}
  for (const status of listStatuses(route)) {
    responses[String(status)] = presentResponse(route, status, route.responses[status])
  }
  return responses
}

/**
 * The answers of the route itself, and those of the layers around it: credential, limits, body,
 * failures.
 */
function listStatuses(route: Route): readonly number[] {
  const statuses = new Set(Object.keys(route.responses).map(Number))
  const hasInput =
    route.body !== undefined || route.query !== undefined || route.params !== undefined
  // Two credentials at once are refused with 400, so every route with authentication can answer
  // 400.
  if (hasInput || route.access.kind !== 'public') statuses.add(400)
  if (route.access.kind !== 'public') statuses.add(401).add(429)
  else statuses.add(431)
  if (route.access.kind !== 'public') statuses.add(403)
  if (route.params !== undefined) statuses.add(414)
  if (isTaggedWhole(route) && route.responses[200]?.schema !== undefined) statuses.add(304)
  if (route.idempotency !== undefined) statuses.add(422)
  if (route.body !== undefined) statuses.add(408).add(413).add(415)
  statuses.add(500)
  if (route.group !== 'system') statuses.add(503)
  return [...statuses].toSorted((one, other) => one - other)
}

// Of answers that the layers around a route give.
const DESCRIPTIONS: Readonly<Record<number, string>> = {
  304: 'The answer is the one of `If-None-Match`.',
  400: 'The request is not valid.',
  401: 'The credential is missing, unknown, expired or revoked.',
  403: 'The token lacks the scope, or the request comes from none of its networks.',
  408: 'The request took too long to arrive.',
  413: 'The body is too large.',
  414: 'A part of the path is too long.',
  415: 'The media type is not taken.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too many requests or too many wrong credentials.',
  431: 'The headers are too large.',
  500: 'Something went wrong on our side.',
  503: 'The database cannot be reached.',
}

function presentResponse(
  route: Route,
  status: number,
  declared: ResponseDescription | undefined,
): Json {
  const common = findCommonFailure(route, status)
  if (declared === undefined && common !== null) {
    return { $ref: `#/components/responses/${common}` }
  }
  const description =
    declared?.description ?? DESCRIPTIONS[status] ?? STATUS_CODES[status] ?? 'An answer.'
  const headers = presentHeaders(status)
  if (declared?.schema !== undefined) {
    const mediaType = declared.contentType ?? 'application/json'
    const example = findExamples(route).responses?.[status]
    const content = {
      [mediaType]: {
        schema: presentSchema(declared.schema),
        ...(example === undefined ? {} : { example }),
      },
      ...presentTextContent(declared.otherContentType),
    }
    return { description, ...headers, content }
  }
  if (status < 400) {
    const content = declared?.contentType
    return content === undefined
      ? { description }
      : { description, content: presentTextContent(content) }
  }
  return { description, ...headers, ...presentFailureContent(route) }
}

function presentTextContent(mediaType: string | undefined): Json {
  return mediaType === undefined ? {} : { [mediaType]: { schema: { type: 'string' } } }
}

/** The component of a failure that is the same for all routes that answer problems. */
function findCommonFailure({ group, failsWithoutBody }: Route, status: number): string | null {
  const isProblem = status >= 400 && group !== 'intel' && failsWithoutBody !== true
  return isProblem && DESCRIPTIONS[status] !== undefined ? `Problem${status}` : null
}

/** The failures to which operations refer. */
export function presentCommonFailures(): Json {
  const content = { 'application/problem+json': { schema: PROBLEM } }
  // 304 has no body, so it is no problem.
  const failures = Object.entries(DESCRIPTIONS).filter(([status]) => Number(status) >= 400)
  return Object.fromEntries(
    failures.map(([status, description]) => [
      `Problem${status}`,
      { description, ...presentHeaders(Number(status)), content },
    ]),
  )
}

const PROBLEM = { $ref: '#/components/schemas/Problem' }

function presentHeaders(status: number): Json {
  if (status < 400) return {}
  const names: Record<number, [string, string]> = {
    401: ['WWW-Authenticate', 'WwwAuthenticate'],
    403: ['WWW-Authenticate', 'WwwAuthenticate'],
    429: ['Retry-After', 'RetryAfter'],
  }
  const [name, component] = names[status] ?? []
  return {
    headers: {
      ...(name === undefined ? {} : { [name]: { $ref: `#/components/headers/${component}` } }),
      [PROBLEM_HEADER]: { $ref: '#/components/headers/CaseworkProblem' },
    },
  }
}

/**
 * Endpoints that fail without a body are documented so. The introduction describes problems by
 * `Accept`.
 */
function presentFailureContent(route: Route): Json {
  if (route.group === 'intel') {
    const schema = { $ref: '#/components/schemas/FailureEnvelope' }
    return { content: { 'application/json': { schema } } }
  }
  if (route.failsWithoutBody === true) return {}
  return { content: { 'application/problem+json': { schema: PROBLEM } } }
}
