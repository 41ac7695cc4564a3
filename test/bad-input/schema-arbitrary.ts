// Values that a JSON Schema of the document takes, for fast-check, and values that are nearly so.

import * as fc from 'fast-check'
import { resolve } from './operations.ts'

// Deeper than any schema of the document that is not within itself.
const DEPTH_MAX = 8
const LIST_MAX = 3
const TEXT_MAX = 40

const SOME_TIMES = ['2026-04-01T00:00:00Z', '2026-11-01T10:20:30.456Z', '2027-01-01T00:00:00+02:00']
const SOME_TEXTS = [
  'x',
  'sample',
  'Example',
  '192.0.2.1',
  'mail.example.org',
  '203.0.113.0/24',
  '2',
]

/** Text as people and programs send it, and odder text too. */
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SOME_TEXTS) },
  { weight: 2, arbitrary: fc.string({ maxLength: TEXT_MAX }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: TEXT_MAX }) },
)

// oxlint-disable-next-line typescript/no-explicit-any -- a schema is read as it stands
export function arbitraryOf(given: any, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(given)
  if (schema === true || schema === undefined || depth > DEPTH_MAX) {
    return fc.jsonValue({ maxDepth: 2 })
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) {
    return fc.oneof(...parts.map((part: unknown) => arbitraryOf(part, depth + 1)))
  }
  const types: string[] = [schema.type].flat()
  return fc.oneof(...types.map((type) => arbitraryOfType(type, schema, depth)))
}

// oxlint-disable-next-line typescript/no-explicit-any -- a schema is read as it stands
function arbitraryOfType(type: string, schema: any, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 })
    case 'number':
      return fc.double({
        min: schema.minimum ?? -1_000,
        max: schema.maximum ?? 1_000_000,
        noNaN: true,
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return listOf(schema, depth)
    case 'object':
      return objectOf(schema, depth)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a schema is read as it stands
function textOf({ pattern, format, minLength = 0, maxLength = 1_000 }: any): fc.Arbitrary<string> {
  const fits = (text: string): boolean => {
    const { length } = Array.from(text)
    return length >= minLength && length <= maxLength
  }
  if (format === 'date-time') return fc.constantFrom(...SOME_TIMES)
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.constantFrom('a@example.org', 'Bob.B+x@mail.example.com')
  if (pattern === '^https?://') {
    return fc.constantFrom(
      'https://hooks.example/x',
      'http://192.0.2.1/',
      'https://a.example:8443/?b',
    )
  }
  if (pattern !== undefined && pattern !== String.raw`\S`) {
    return fc.stringMatching(new RegExp(pattern)).filter(fits)
  }
  const text = fc.oneof(
    { weight: 8, arbitrary: anyText },
    // The longest that is promised to be taken.
    { weight: 1, arbitrary: fc.constant('y'.repeat(maxLength)) },
  )
  return text
    .map((one) => Array.from(one).slice(0, maxLength).join('').padEnd(minLength, 'z'))
    .filter((one) => fits(one) && (pattern === undefined || /\S/.test(one)))
}

// oxlint-disable-next-line typescript/no-explicit-any -- a schema is read as it stands
function listOf({ items, minItems = 0, maxItems = LIST_MAX, uniqueItems }: any, depth: number) {
  const bounds = {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, LIST_MAX)),
  }
  const element = arbitraryOf(items ?? true, depth + 1)
  return uniqueItems === true
    ? fc.uniqueArray(element, { ...bounds, selector: (one) => JSON.stringify(one) })
    : fc.array(element, bounds)
}

// oxlint-disable-next-line typescript/no-explicit-any -- a schema is read as it stands
function objectOf(schema: any, depth: number): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {})
  const named = fc.record(
    Object.fromEntries(members.map(([name, one]) => [name, arbitraryOf(one, depth + 1)])),
    { requiredKeys: schema.required ?? [] },
  )
  const [mapped] = Object.entries(schema.patternProperties ?? {})
  const loose = mapped ?? ['^.*$', schema.additionalProperties]
  if (typeof loose[1] !== 'object' || loose[1] === null) return named
  const [pattern, member] = loose
  const name =
    pattern === '^.*$' ? fc.string({ maxLength: 12 }) : fc.stringMatching(new RegExp(pattern))
  const map = fc.dictionary(
    name.filter((one) => one !== '__proto__'),
    arbitraryOf(member, depth + 1),
    {
      minKeys: schema.minProperties ?? 0,
      maxKeys: Math.min(schema.maxProperties ?? LIST_MAX, LIST_MAX),
      noNullPrototype: true,
    },
  )
  return fc.tuple(map, named).map(([one, other]) => ({ ...one, ...Object(other) }))
}

/** Each member of the outermost object from the sample as often as from its schema. */
export function nearSample(schema: unknown, sample: unknown): fc.Arbitrary<unknown> {
  const drawn = arbitraryOf(schema)
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) {
    return fc.oneof(drawn, fc.constant(sample))
  }
  return fc
    .tuple(drawn, fc.subarray(Object.keys(sample), { minLength: 0 }))
    .map(([made, kept]) => ({
      ...Object(made),
      ...Object.fromEntries(kept.map((name) => [name, Reflect.get(sample, name)])),
    }))
}

const ODD = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  ' ',
  'x',
  'z'.repeat(70_000),
  [],
  {},
  [[]],
  [null],
]

/** The value with one fault in a place that is drawn; it may by chance still be valid. */
export function spoil(value: unknown): fc.Arbitrary<unknown> {
  const places = [...listPlaces(value, [])]
  const fault = fc.oneof(
    fc.constantFrom(...ODD).map((odd) => () => odd),
    fc.constant((one: unknown) => (isObject(one) ? { ...one, unknown_member: 1 } : [one])),
    fc.nat(30).map((at) => (one: unknown) => dropMember(one, at)),
    fc.constant((one: unknown) => (Array.isArray(one) ? Array(1_001).fill(one[0] ?? 1) : { one })),
  )
  return fc
    .tuple(fc.constantFrom(...places), fault)
    .map(([place, make]) => changeAt(value, place, make))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function dropMember(value: unknown, at: number): unknown {
  if (!isObject(value) || Array.isArray(value)) return undefined
  const names = Object.keys(value)
  const dropped = names[at % Math.max(1, names.length)]
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== dropped))
}

function* listPlaces(value: unknown, path: readonly string[]): Generator<readonly string[]> {
  yield path
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) yield* listPlaces(member, [...path, name])
}

function changeAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  make: (one: unknown) => unknown,
): unknown {
  if (name === undefined) return make(value)
  if (Array.isArray(value)) {
    return value.map((one, at) => (String(at) === name ? changeAt(one, rest, make) : one))
  }
  return { ...Object(value), [name]: changeAt(Reflect.get(Object(value), name), rest, make) }
}
