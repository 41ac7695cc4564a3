// Proves that the OpenAPI document of our routes is whole: references, parameters, schemas,
// examples, failures.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { createCompiler } from '../../test/openapi-compiler.ts'
import { defineRoute, type Route } from '../kernel/http/route.ts'
import { successOf } from '../vocabulary/envelope-wire.ts'
import { named, SCHEMA_NAME } from '../vocabulary/named-schema.ts'
import { pageOf } from '../vocabulary/page-wire.ts'
import { hasWord } from './describe-members.ts'
import { buildOpenapi } from './openapi.ts'
import { liftSchemas, presentSchema } from './openapi-schema.ts'
import { buildRoutes } from './routes.ts'

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly {
    readonly $ref?: string
    readonly name: string
    readonly in: string
    readonly schema: Readonly<Record<string, unknown>>
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >
}
type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>

let app: TestApp
let routes: readonly Route[]
let document: any // oxlint-disable-line typescript/no-explicit-any -- a test reads what came, whatever it is
let operations: { readonly name: string; readonly operation: Operation }[]

before(async () => {
  app = await openTestApp()
  routes = buildRoutes(app.services)
  document = JSON.parse(JSON.stringify(buildOpenapi(routes)))
  operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation: { ...operation, responses: resolveResponses(operation.responses) },
      })),
  )
})

function resolveSchema(schema: unknown): unknown {
  const name = /^#\/components\/schemas\/(.+)$/.exec(Object(schema)['$ref'])?.[1]
  return name === undefined ? schema : document.components.schemas[name]
}

/** With those that are components in their place. */
function resolveResponses(responses: Operation['responses']): Operation['responses'] {
  const resolved = Object.entries(responses).map(([status, response]) => {
    const name = /^#\/components\/responses\/(.+)$/.exec(Object(response)['$ref'])?.[1]
    return [status, name === undefined ? response : document.components.responses[name]]
  })
  return Object.fromEntries(resolved)
}
after(() => app.close())

test('every route of the table is an operation, and nothing else is', () => {
  assert(routes.length > 20)
  assert.deepEqual(
    new Set(operations.map(({ name }) => name)),
    new Set(routes.map(({ method, path }) => `${method} ${path}`)),
  )
  assert.equal(operations.length, routes.length)
})

test('every envelope and every example of one repeats the status of its response', () => {
  let envelopes = 0
  for (const { name, operation } of operations) {
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      const { schema: given, example } = content['application/json'] ?? {}
      const schema = resolveSchema(given)
      const properties: unknown = Object(schema)['properties']
      const declared: unknown = Object(Object(properties)['statusCode'])['const']
      const shown: unknown = Object(example)['statusCode']
      for (const statusCode of [declared, shown]) {
        if (statusCode === undefined) continue
        envelopes += 1
        assert.equal(statusCode, Number(status), name)
      }
    }
  }
  assert(envelopes > 20)
})

test('no object schema of more than three members is written out twice', () => {
  const places = new Map<string, string[]>()
  collectObjects(document, '', places)
  assert.ok(places.size > 200, `only ${places.size} schemas were seen`)
  const twice = [...places.values()].filter((where) => where.length > 1)
  assert.deepEqual(twice, [], 'give the schema a name: named() of vocabulary/named-schema.ts')
})

test('a schema with a name is a component, and two of one name are refused', () => {
  const thing = named('Thing', Type.Object({ id: Type.String() }))
  const { value, schemas } = liftSchemas(presentSchema(Type.Array(thing)))
  assert.deepEqual(value, { type: 'array', items: { $ref: '#/components/schemas/Thing' } })
  assert.deepEqual(schemas, {
    Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  })
  const other = named('Thing', Type.Object({ name: Type.String() }))
  assert.throws(() => liftSchemas([thing, other].map(presentSchema)), /the name Thing/)
})

test('a page and an envelope are called after what they hold', () => {
  const names = [pageOf, successOf].map((wrap) =>
    Reflect.get(wrap(named('X', Type.Object({}))), SCHEMA_NAME),
  )
  assert.deepEqual(names, ['XPage', 'XAnswer'])
  const list = successOf(Type.Array(named('Y', Type.Object({}))), 201)
  assert.equal(Reflect.get(list, SCHEMA_NAME), 'YListCreatedAnswer')
  assert.equal(Reflect.get(pageOf(Type.String()), SCHEMA_NAME), undefined)
})

function collectObjects(part: unknown, where: string, places: Map<string, string[]>): void {
  if (typeof part !== 'object' || part === null) return
  const members: unknown = Reflect.get(part, 'properties')
  if (Reflect.get(part, 'type') === 'object' && Object.keys(Object(members)).length > 3) {
    const key = JSON.stringify(part)
    places.set(key, [...(places.get(key) ?? []), where])
  }
  for (const [name, member] of Object.entries(part)) {
    if (name !== 'example') collectObjects(member, `${where}/${name}`, places)
  }
}

test('304 is documented without a body', () => {
  const unchanged = operations.flatMap(({ operation }) => operation.responses['304'] ?? [])
  assert.ok(unchanged.length > 20, `only ${unchanged.length} operations were seen`)
  for (const { content } of unchanged) assert.equal(content, undefined)
})

test('every failure is documented with the header of its reason', () => {
  for (const { name, operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const headers: object = Object(Object(response)['headers'])
      assert.equal('casework-problem' in headers, Number(status) >= 400, `${name} ${status}`)
    }
  }
})

// Whoever signs in has no credential yet.
const SIGN_IN = [
  'getSignInWays',
  'askForPassword',
  'signIn',
  'checkLink',
  'redeemLink',
  'useSecondFactor',
  'beginSecondFactor',
  'beginPasskeySignIn',
  'signInByPasskey',
  'startDeviceLogin',
  'getDeviceToken',
  'startProviderSignIn',
  'acceptByProvider',
  'finishProviderSignIn',
]

test('every route declares its access, and only the process itself and sign-in are public', () => {
  for (const route of routes) {
    assert(['public', 'open-intel', 'scope', 'one-of', 'any-token'].includes(route.access.kind))
    if (route.access.kind === 'public' && !SIGN_IN.includes(route.operationId)) {
      assert.equal(route.group, 'system', route.path)
    }
    if (route.access.kind === 'open-intel') assert.equal(route.group, 'intel', route.path)
  }
})

test('every operation has a name, a summary, a known tag, a success and its failures', () => {
  const tags = document.tags.map((tag: { name: string }) => tag.name)
  for (const { name, operation } of operations) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]+$/, name)
    assert.match(operation.summary ?? '', /^[A-Z].+[^.]$/, name)
    assert(
      operation.tags.every((tag) => tags.includes(tag)),
      name,
    )
    const statuses = Object.keys(operation.responses).map(Number)
    assert(
      // A browser is sent on by 302.
      statuses.some((status) => status < 300 || status === 302),
      name,
    )
    assert(statuses.includes(500), name)
    if (operation.requestBody !== undefined) {
      for (const status of [400, 413, 415]) assert(statuses.includes(status), `${name} ${status}`)
    }
    for (const { description } of Object.values(operation.responses)) {
      assert.match(description, /\S/)
    }
  }
})

test('every operation, parameter and member has a word', () => {
  const { schemas } = document.components
  const missing: string[] = []
  const look = (part: unknown, where: string): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [name, member] of Object.entries(part)) {
      if (name === 'example') continue
      const place = `${where}/${name}`
      if (where.endsWith('/properties') && !hasWord(member, schemas)) missing.push(place)
      look(member, place)
    }
  }
  look(schemas, '')
  for (const { name, operation } of operations) {
    if (!/^[A-Z][\s\S]+\.$/.test(operation.description ?? '')) missing.push(name)
    for (const parameter of operation.parameters ?? []) {
      // One of the common parameters, which have their words.
      if (parameter.$ref !== undefined) continue
      const isKnown = hasWord(parameter, schemas) || hasWord(parameter.schema, schemas)
      if (!isKnown) missing.push(`${name} ${parameter.in} ${parameter.name}`)
    }
    look(operation, name)
  }
  assert.deepEqual(missing, [], 'add a description beside the schema')
})

test('each tag has operations', () => {
  const order = document.tags.map((tag: { name: string }) => tag.name)
  const used = operations.flatMap(({ operation }) => operation.tags)
  assert.deepEqual(new Set(used), new Set(order))
  assert.equal(new Set(order).size, order.length)
})

test('the path parameters of an operation are those of its path', () => {
  for (const { name, operation } of operations) {
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const declared = (operation.parameters ?? []).filter((one) => one.in === 'path')
    assert.deepEqual(
      declared.map((one) => one.name),
      inPath,
      name,
    )
  }
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)]
  assert(references.length > 10)
  for (const [, pointer = ''] of references) {
    let place = document
    for (const part of pointer.slice(1).split('/')) place = place?.[part]
    assert.notEqual(place, undefined, pointer)
  }
})

test('every schema compiles as JSON Schema 2020-12 and every example holds', () => {
  const compile = createCompiler(document.components)
  let examples = 0
  const check = (content: Content | undefined, where: string): void => {
    for (const { schema, example } of Object.values(content ?? {})) {
      const explain = compile(schema)
      if (example === undefined) continue
      examples += 1
      assert.equal(explain(example), null, where)
    }
  }
  for (const { name, operation } of operations) {
    check(operation.requestBody?.content, name)
    for (const [status, response] of Object.entries(operation.responses)) {
      check(response.content, `${name} ${status}`)
    }
  }
  assert.ok(examples > 150, `only ${examples} examples were seen`)
})

function mediaTypes(name: string): string[] {
  const found = operations.find((one) => one.name === name)?.operation.responses['400']
  assert(found !== undefined, name)
  return Object.keys(found.content ?? {})
}

test('failures are documented in the form of their group', () => {
  assert.deepEqual(mediaTypes('GET /beta/query/{item}'), ['application/json'])
  assert.deepEqual(mediaTypes('GET /beta/casework/cases'), [])
  assert.deepEqual(mediaTypes('POST /beta/admin/tokens'), ['application/problem+json'])
})

test('a union of fixed values is an enum, any other stays a union', () => {
  const fixed = Type.Union([Type.Literal('a'), Type.Literal('b')], { description: 'x' })
  assert.deepEqual(presentSchema(fixed), { description: 'x', type: 'string', enum: ['a', 'b'] })
  const open = Type.Union([Type.String(), Type.Null()])
  assert.deepEqual(presentSchema(open), { anyOf: [{ type: 'string' }, { type: 'null' }] })
})

test('two routes of one operation id are refused', () => {
  const route = defineRoute({
    method: 'GET',
    path: '/x',
    group: 'system',
    access: { kind: 'public' },
    operationId: 'same',
    summary: 'One of two',
    responses: {},
    handle: () => ({ status: 200 }),
  })
  assert.throws(() => buildOpenapi([route, { ...route, path: '/y' }]), /operation id same/)
})
