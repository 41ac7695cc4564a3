// The fields of all answers by their name, for tests (test/answer-fields.ts): a name that no answer
// has does not compile, nor does a use that the type of the field does not allow. The path of a
// request is made at run time, so the compiler cannot tell which answer came.

import { asList, asMembers, type Members, resolveReference } from './read-json.ts'

const HEAD = `// Made by "npm run write" from the routes: the fields of all answers, by name, as tests read them.
// A test expects what it names, so no field is optional or null here: one that is missing fails at
// its assertion. Where answers differ in the type of a field, it is any.

// A type and not an interface, because only a type can be given where a Record is wanted.
// oxlint-disable typescript/no-explicit-any typescript/consistent-type-definitions

/** Single entries are taken without asking whether they are there. */
export type AnswerList<Entry> = {
  find(isWanted: (entry: Entry, index: number) => boolean): Entry
  filter(isWanted: (entry: Entry, index: number) => boolean): AnswerList<Entry>
  map<Result>(act: (entry: Entry, index: number) => Result): AnswerList<Result>
  at(index: number): Entry
  readonly 0: Entry
  readonly 1: Entry
  readonly 2: Entry
  readonly 3: Entry
  readonly 4: Entry
  readonly 5: Entry
  readonly 6: Entry
} & Entry[]

export type AnswerFields = {
`

const PLAIN_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/

/** `document` is the OpenAPI document, as the service gives it. */
export function buildAnswerFields(document: object): string {
  const fields = collectFields(asMembers(document))
  const lines = [...fields]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, types]) => {
      const field = PLAIN_NAME.test(name) ? name : `'${name}'`
      return `  ${field}: ${writeOnly([...types])}`
    })
  return `${HEAD}${lines.join('\n')}\n}\n`
}

/** The types of each field, by name. */
function collectFields(document: Members): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>()
  const seen = new Set<Members>()
  const visit = (given: unknown): void => {
    if (given === undefined) return
    const schema = resolveReference(document, given)
    // A schema may hold itself.
    if (seen.has(schema)) return
    seen.add(schema)
    for (const [name, field] of Object.entries(asMembers(schema['properties']))) {
      const types = fields.get(name) ?? new Set()
      for (const type of listTypes(document, field)) types.add(type)
      fields.set(name, types)
      visit(field)
    }
    for (const part of [...listParts(schema), schema['items'], schema['additionalProperties']]) {
      visit(part)
    }
  }
  for (const answer of listAnswers(document)) visit(answer)
  return fields
}

function listAnswers(document: Members): readonly unknown[] {
  return listValues(document['paths'])
    .flatMap(listValues)
    .flatMap((operation) => listValues(asMembers(operation)['responses']))
    .flatMap((response) => listValues(resolveReference(document, response)['content']))
    .map((content) => asMembers(content)['schema'])
}

/** The types of a field; none when it is always null, or may be anything. */
function listTypes(document: Members, given: unknown): readonly string[] {
  const schema = resolveReference(document, given)
  const { type, properties } = schema
  const own = [type ?? (properties === undefined ? [] : 'object')]
    .flat()
    .filter((one) => typeof one === 'string')
  const values = own.length > 0 ? [] : asList(schema['enum']).filter((value) => value !== null)
  return [
    ...listParts(schema).flatMap((part) => listTypes(document, part)),
    ...values.map((value) => PLAIN_TYPES[typeof value] ?? 'any'),
    ...own.filter((one) => one !== 'null').map((one) => writeType(document, schema, one)),
  ]
}

function writeType(document: Members, schema: Members, type: string): string {
  if (type === 'array') return `AnswerList<${writeOnly(listTypes(document, schema['items']))}>`
  if (type !== 'object') return PLAIN_TYPES[type] ?? 'any'
  if (Object.keys(asMembers(schema['properties'])).length > 0) return 'AnswerFields'
  return `Readonly<Record<string, ${writeOnly(listTypes(document, schema['additionalProperties']))}>>`
}

/** The one type; `any` for none or several. */
function writeOnly(types: readonly string[]): string {
  const [type = 'any', ...others] = new Set(types)
  return others.length === 0 ? type : 'any'
}

function listParts(schema: Members): readonly unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((name) => asList(schema[name]))
}

function listValues(value: unknown): readonly unknown[] {
  return Object.values(asMembers(value))
}
