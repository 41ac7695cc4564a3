// The fields of all answers by their name, for tests (test/answer-fields.ts): a name that no answer
// has does not compile, nor does a use that the type of the field does not allow. The path of a
// request is made at run time, so the compiler cannot tell which answer came.

type Json = Readonly<Record<string, unknown>>

const HEAD = `// Made by "npm run write" from the routes: the fields of all answers, by name, as tests read them.
// A test expects what it names, so no field is optional or null here: one that is missing fails at
// its assertion. Where answers differ in the type of a field, it is any.

// A type, as what an interface names is assigned to no Record.
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
const NOTHING: Json = {}
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/

/** `document` is the OpenAPI document, as the service gives it. */
export function buildAnswerFields(document: object): string {
  const fields = collectFields(readRecord(structuredClone(document)))
  const lines = [...fields]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, types]) => {
      const [type = 'any', ...others] = types
      return `  ${PLAIN_NAME.test(name) ? name : `'${name}'`}: ${others.length === 0 ? type : 'any'}`
    })
  return `${HEAD}${lines.join('\n')}\n}\n`
}

/** The types of each field, by name. */
function collectFields(document: Json): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>()
  const seen = new Set<Json>()
  const visit = (given: unknown): void => {
    const schema = resolve(document, given)
    // A schema may hold itself.
    if (seen.has(schema)) return
    seen.add(schema)
    for (const [name, field] of Object.entries(readRecord(schema['properties']))) {
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

function listAnswers(document: Json): readonly unknown[] {
  return listValues(document['paths'])
    .flatMap(listValues)
    .flatMap((operation) => listValues(readRecord(operation)['responses']))
    .flatMap((response) => listValues(resolve(document, response)['content']))
    .map((content) => readRecord(content)['schema'])
}

/** Nothing for null alone, and for what may be anything. */
function listTypes(document: Json, given: unknown): readonly string[] {
  const schema = resolve(document, given)
  const { type, properties } = schema
  const own = readTypes(type ?? (properties === undefined ? [] : 'object'))
  const values = own.length > 0 ? [] : readList(schema['enum']).filter((value) => value !== null)
  return [
    ...listParts(schema).flatMap((part) => listTypes(document, part)),
    ...values.map((value) => PLAIN_TYPES[typeof value] ?? 'any'),
    ...own.filter((one) => one !== 'null').map((one) => writeType(document, schema, one)),
  ]
}

function writeType(document: Json, schema: Json, type: string): string {
  if (type === 'array') return `AnswerList<${writeOnly(listTypes(document, schema['items']))}>`
  if (type !== 'object') return PLAIN_TYPES[type] ?? 'any'
  if (Object.keys(readRecord(schema['properties'])).length > 0) return 'AnswerFields'
  return `Readonly<Record<string, ${writeOnly(listTypes(document, schema['additionalProperties']))}>>`
}

function writeOnly(types: readonly string[]): string {
  const [type = 'any', ...others] = new Set(types)
  return others.length === 0 ? type : 'any'
}

function listParts(schema: Json): readonly unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((name) => readList(schema[name]))
}

function resolve(document: Json, given: unknown): Json {
  const schema = readRecord(given)
  const target = schema['$ref']
  if (typeof target !== 'string') return schema
  const path = target.slice('#/'.length).split('/')
  return path.reduce((part, name) => readRecord(part[name]), document)
}

function listValues(value: unknown): readonly unknown[] {
  return Object.values(readRecord(value))
}

function readRecord(value: unknown): Json {
  return isRecord(value) ? value : NOTHING
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function readTypes(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
