// The gate against breaking changes: openapi/beta.json keeps what each release promised, but for
// the breaks that openapi/accepted-breaks.json names with a reason. And the comparison itself,
// break by break, on two small documents.

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { findBreaks } from './compare-openapi.ts'
import { readText } from './source-files.ts'

interface AcceptedBreak {
  readonly break: string
  readonly reason: string
}

const ACCEPTED: Readonly<Record<string, readonly AcceptedBreak[]>> = JSON.parse(
  readText('openapi/accepted-breaks.json'),
)

describe('the interface', () => {
  const present = JSON.parse(readText('openapi/beta.json'))
  const releases = globSync('openapi/releases/*.json').toSorted()

  test('breaks nothing that a release promised, but for what is accepted with a reason', () => {
    assert.ok(releases.length > 0)
    for (const release of releases) {
      const breaks = findBreaks(JSON.parse(readText(release)), present)
      const accepted = (ACCEPTED[basename(release, '.json')] ?? []).map((one) => one.break)
      const surprising = breaks.filter((one) => !accepted.includes(one))
      assert.deepEqual(
        surprising,
        [],
        'keep it, or accept the break with a reason in openapi/accepted-breaks.json (docs/reference/compatibility.md)',
      )
      const past = accepted.filter((one) => !breaks.includes(one))
      assert.deepEqual(past, [], 'these are no breaks any more: take them out')
    }
  })

  test('has a reason for each accepted break, which stands there once', () => {
    const names = releases.map((release) => basename(release, '.json'))
    for (const [release, entries] of Object.entries(ACCEPTED)) {
      assert.ok(names.includes(release), release)
      for (const { reason } of entries) assert.match(reason, /^[A-Z].{20,}\.$/)
      assert.equal(new Set(entries.map((one) => one.break)).size, entries.length)
    }
  })
})

type Change = (operation: any) => void // oxlint-disable-line typescript/no-explicit-any -- the fixture is changed anywhere

/** A document of one operation, which asks and answers a thing. */
function makeDocument(change: Change = () => {}): Record<string, unknown> {
  const thing = {
    type: 'object',
    required: ['id', 'state'],
    properties: {
      id: { type: 'string' },
      state: { type: 'string', enum: ['new', 'old'] },
      count: { type: 'integer', minimum: 0, maximum: 10 },
      tags: { type: 'array', items: { type: 'string', maxLength: 9 }, maxItems: 5 },
    },
  }
  const operation = {
    operationId: 'saveThing',
    security: [{ bearer: ['things:write'] }],
    parameters: [
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: structuredClone(thing) } },
    },
    responses: {
      200: { content: { 'application/json': { schema: structuredClone(thing) } } },
      404: { description: 'None.' },
    },
  }
  change(operation)
  return { paths: { '/things': { post: operation } }, components: { schemas: { Thing: thing } } }
}

const sent = (operation: any) => operation.requestBody.content['application/json'].schema // oxlint-disable-line typescript/no-explicit-any
const given = (operation: any) => operation.responses[200].content['application/json'].schema // oxlint-disable-line typescript/no-explicit-any

const BREAKS: readonly (readonly [title: string, change: Change, found: string])[] = [
  ['another operation id', (o) => (o.operationId = 'x'), ': has another operation id, x'],
  ['a scope more', (o) => o.security[0].bearer.push('x'), ': is no longer open with things:write'],
  ['a parameter gone', (o) => o.parameters.pop(), ', query limit: was removed'],
  [
    'a parameter that is required now',
    (o) => (o.parameters[0].required = true),
    ', query limit: is now required',
  ],
  [
    'a new parameter that is required',
    (o) => o.parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
    ', query x: is new and required',
  ],
  [
    'a narrower parameter',
    (o) => (o.parameters[0].schema.maximum = 50),
    ', query limit: maximum is now 50',
  ],
  [
    'a media type less of the body',
    (o) => (o.requestBody.content = { 'text/csv': {} }),
    ', body: application/json was removed',
  ],
  [
    'a new member that the body must have',
    (o) => sent(o).required.push('count'),
    ', body /count: is now required',
  ],
  [
    'a member that the body no longer takes',
    (o) => delete sent(o).properties.count,
    ', body /count: was removed',
  ],
  [
    'no other members in the body',
    (o) => (sent(o).additionalProperties = false),
    ', body: no longer takes other members',
  ],
  [
    'a value less in the body',
    (o) => sent(o).properties.state.enum.pop(),
    ', body /state: no longer takes old',
  ],
  [
    'fixed values where any text was taken',
    (o) => (sent(o).properties.id.enum = ['a']),
    ', body /id: takes only a now',
  ],
  [
    'another type in the body',
    (o) => (sent(o).properties.count.type = 'string'),
    ', body /count: is string instead of integer',
  ],
  [
    'a least value in the body',
    (o) => (sent(o).properties.count.minimum = 1),
    ', body /count: minimum is now 1',
  ],
  [
    'a pattern in the body',
    (o) => (sent(o).properties.id.pattern = '^a'),
    ', body /id: pattern is now "^a"',
  ],
  [
    'shorter items in the body',
    (o) => (sent(o).properties.tags.items.maxLength = 3),
    ', body /tags[]: maxLength is now 3',
  ],
  [
    'distinct items in the body',
    (o) => (sent(o).properties.tags.uniqueItems = true),
    ', body /tags: equal items are no longer taken',
  ],
  [
    'a union without the former shape',
    (o) => (sent(o).properties.id = { anyOf: [{ type: 'integer' }, { type: 'null' }] }),
    ', body /id: no longer takes string',
  ],
  ['a success gone', (o) => delete o.responses[200], ', 200: was removed'],
  ['a new success', (o) => (o.responses[202] = {}), ', 202: is a new success'],
  [
    'a member of an answer gone',
    (o) => delete given(o).properties.count,
    ', 200 /count: was removed',
  ],
  [
    'a member of an answer that may be missing',
    (o) => given(o).required.pop(),
    ', 200 /state: may now be missing',
  ],
  [
    'null in an answer',
    (o) => (given(o).properties.id.type = ['string', 'null']),
    ', 200 /id: is string or null instead of string',
  ],
  [
    'another shape in an answer',
    (o) => (given(o).properties.id = { anyOf: [{ type: 'string' }, { type: 'integer' }] }),
    ', 200 /id: may now be integer',
  ],
]

describe('the comparison of two documents finds', () => {
  for (const [title, change, found] of BREAKS) {
    test(title, () => {
      assert.deepEqual(findBreaks(makeDocument(), makeDocument(change)), [`POST /things${found}`])
    })
  }

  test('a credential where none was needed', () => {
    const former = makeDocument((operation) => (operation.security = [{}, { bearer: ['x'] }]))
    const present = makeDocument((operation) => {
      operation.security = [{ bearer: [] }]
      operation['x-scopes'] = [['x']]
    })
    assert.deepEqual(findBreaks(former, present), ['POST /things: now needs a credential'])
  })

  test('an operation that is gone', () => {
    assert.deepEqual(findBreaks(makeDocument(), { paths: {} }), ['POST /things was removed'])
  })

  test('a body that is now required', () => {
    const former = makeDocument((operation) => (operation.requestBody.required = false))
    assert.deepEqual(findBreaks(former, makeDocument()), ['POST /things: a body is now required'])
  })
})

const HARMLESS: readonly (readonly [title: string, change: Change])[] = [
  [
    'names: a schema that becomes a component',
    (o) => {
      const schema = { $ref: '#/components/schemas/Thing' }
      o.requestBody.content['application/json'].schema = schema
      o.responses[200].content['application/json'].schema = schema
    },
  ],
  ['a new parameter', (o) => o.parameters.push({ name: 'x', in: 'query', schema: {} })],
  ['a wider parameter', (o) => (o.parameters[0].schema.maximum = 500)],
  ['a new member', (o) => [sent, given].forEach((of) => (of(o).properties.x = {}))],
  ['a value more', (o) => [sent, given].forEach((of) => of(o).properties.state.enum.push('x'))],
  ['a wider type in the body', (o) => (sent(o).properties.count.type = 'number')],
  [
    'null in the body',
    (o) => (sent(o).properties.id = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
  ],
  ['a member that an answer always has now', (o) => given(o).required.push('count')],
  ['a failure less, and one more', (o) => (o.responses = { 200: o.responses[200], 409: {} })],
  ['another scope that opens it too', (o) => o.security.push({ bearer: ['x'] })],
  ['words', (o) => Object.assign(o, { summary: 'x', tags: ['x'], description: 'x' })],
]

describe('the comparison of two documents lets pass', () => {
  for (const [title, change] of HARMLESS) {
    test(title, () => assert.deepEqual(findBreaks(makeDocument(), makeDocument(change)), []))
  }

  test('a schema that holds itself', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#/components/schemas/Thing' } } }
    const document = makeDocument((operation) => {
      operation.responses[200].content['application/json'].schema = tree
    })
    const own = { ...document, components: { schemas: { Thing: tree } } }
    assert.deepEqual(findBreaks(own, structuredClone(own)), [])
  })
})
