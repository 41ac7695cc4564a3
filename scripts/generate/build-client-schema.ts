// The types of the client (src/client/schema.ts) from the OpenAPI document, in the form that
// openapi-fetch reads. openapi-typescript needs the compiler of TypeScript 5, which npm does not
// install beside ours (docs/decisions/dependencies.md). A keyword that is not known here throws.

type Json = Readonly<Record<string, unknown>>

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const WIDTH = 100

/** `document` is the OpenAPI document, as the service gives it. */
export function buildClientSchema(document: object): string {
  const { components, paths } = readRecord(structuredClone(document))
  const schemas = readRecord(readRecord(components)['schemas'])
  return [
    '// The types of the interface, made from openapi/beta.json by `npm run write`: do not edit.',
    '',
    '/** The resources by name. */',
    'export interface Schemas {',
    ...Object.entries(schemas).flatMap(([name, schema]) => writeMember(name, schema, true, 1)),
    '}',
    '',
    '/** The operations by path and method. */',
    'export interface Paths {',
    ...Object.entries(readRecord(paths)).flatMap(([path, item]) => writePath(path, item)),
    '}',
    '',
  ].join('\n')
}

function writePath(path: string, item: unknown): string[] {
  const operations = METHODS.flatMap((method) => {
    const operation = readRecord(item)[method]
    return operation === undefined ? [] : writeOperation(method, readRecord(operation))
  })
  return [`  ${writeName(path)}: {`, ...operations, '  }']
}

function writeOperation(method: string, operation: Json): string[] {
  const parameters = readList(operation['parameters'] ?? []).map(readRecord)
  const body = operation['requestBody']
  const responses = Object.entries(readRecord(operation['responses'])).filter(isAnswer)
  return [
    ...writeComment(operation['summary'], 2),
    `    ${method}: {`,
    '      parameters: {',
    ...['query', 'path', 'header'].flatMap((place) =>
      writeParameters(
        place,
        parameters.filter((parameter) => parameter['in'] === place),
      ),
    ),
    '      }',
    ...(body === undefined
      ? ['      requestBody?: never']
      : [
          `      requestBody${readRecord(body)['required'] === true ? '' : '?'}: {`,
          ...writeContent(readRecord(body)['content'], 4),
          '      }',
        ]),
    '      responses: {',
    ...responses.flatMap(([status, response]) => [
      `        ${status}: {`,
      ...writeContent(pickJson(readRecord(response)['content']), 5),
      '        }',
    ]),
    '      }',
    '    }',
  ]
}

/** What a call returns: successes, and the part of a look-up that could be found out in time. */
function isAnswer([status, response]: [string, unknown]): boolean {
  return (
    status.startsWith('2') ||
    /Partial\w*Answer/.test(JSON.stringify(readRecord(response)['content'] ?? {}))
  )
}

/** The client accepts JSON, so an answer that has several forms comes as JSON. */
function pickJson(content: unknown): unknown {
  if (content === undefined) return undefined
  const json = readRecord(content)['application/json']
  return json === undefined ? content : { 'application/json': json }
}

function writeParameters(place: string, parameters: readonly Json[]): string[] {
  if (parameters.length === 0) return [`        ${place}?: never`]
  const isRequired = parameters.some((parameter) => parameter['required'] === true)
  return [
    `        ${place}${isRequired ? '' : '?'}: {`,
    ...parameters.flatMap(({ name, description, required, schema }) =>
      writeMember(String(name), { ...readRecord(schema), description }, required === true, 5),
    ),
    '        }',
  ]
}

function writeContent(content: unknown, depth: number): string[] {
  const indent = '  '.repeat(depth)
  if (content === undefined) return [`${indent}content?: never`]
  return [
    `${indent}content: {`,
    ...Object.entries(readRecord(content)).map(([type, media]) => {
      const { schema } = readRecord(media)
      return `${indent}  '${type}': ${writeMedia(type, schema, depth + 1)}`
    }),
    `${indent}}`,
  ]
}

function writeMedia(type: string, schema: unknown, depth: number): string {
  if (type.endsWith('json') && !type.includes('ndjson')) return writeType(schema ?? {}, depth)
  return type.startsWith('text/') || /json/.test(type) ? 'string' : 'ArrayBuffer | string'
}

function writeMember(name: string, schema: unknown, required: boolean, depth: number): string[] {
  const indent = '  '.repeat(depth)
  return [
    ...writeComment(readRecord(schema)['description'], depth),
    `${indent}${writeName(name)}${required ? '' : '?'}: ${writeType(schema, depth)}`,
  ]
}

// What bounds a value and has no counterpart in a type.
const WITHOUT_TYPE: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'format',
  'pattern',
  'deprecated',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'discriminator',
  'readOnly',
  'writeOnly',
  '$id',
  '$schema',
  'contentEncoding',
  'contentMediaType',
  'not',
  'contains',
  '$comment',
])

const WITH_TYPE: ReadonlySet<string> = new Set([
  '$ref',
  'const',
  'enum',
  'anyOf',
  'oneOf',
  'allOf',
  'type',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
])

function writeType(given: unknown, depth: number): string {
  if (given === true) return 'unknown'
  const schema = readRecord(given)
  for (const key of Object.keys(schema)) {
    if (!WITH_TYPE.has(key) && !WITHOUT_TYPE.has(key) && !key.startsWith('x-')) {
      throw new Error(`the types of the client know no keyword "${key}"`)
    }
  }
  const { $ref: ref, type } = schema
  if (typeof ref === 'string') return `Schemas[${quote(ref.replace(/.*\//, ''))}]`
  if ('const' in schema) return writeLiteral(schema['const'])
  if ('enum' in schema) return readList(schema['enum']).map(writeLiteral).join(' | ')
  const parts = [
    ...['anyOf', 'oneOf'].flatMap((key) =>
      key in schema && !namesMembersOnly(schema[key]) ? [joinTypes(schema[key], ' | ', depth)] : [],
    ),
    ...('allOf' in schema ? [joinTypes(schema['allOf'], ' & ', depth)] : []),
  ]
  const own = Array.isArray(type)
    ? type.map((one) => writeSimple({ ...schema, type: one }, depth)).join(' | ')
    : writeSimple(schema, depth)
  if (parts.length === 0) return own
  // Beside alternatives, `type: object` alone says nothing more.
  const adds = type !== undefined && !(type === 'object' && !('properties' in schema))
  return adds ? [`(${own})`, ...parts.map((part) => `(${part})`)].join(' & ') : parts.join(' & ')
}

/** Alternatives that say which members are there, of an object that is described beside them. */
function namesMembersOnly(alternatives: unknown): boolean {
  return readList(alternatives).every((one) => Object.keys(readRecord(one)).join() === 'required')
}

function writeSimple(schema: Json, depth: number): string {
  switch (schema['type']) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `readonly (${writeType(schema['items'] ?? {}, depth)})[]`
    case 'object':
      return writeObject(schema, depth)
    case undefined:
      return 'properties' in schema ? writeObject(schema, depth) : 'unknown'
    default:
      throw new Error(`the types of the client know no type "${String(schema['type'])}"`)
  }
}

function writeObject(schema: Json, depth: number): string {
  const required = readList(schema['required'] ?? [])
  const members = Object.entries(readRecord(schema['properties'] ?? {}))
  const others = Object.values(readRecord(schema['patternProperties'] ?? {}))
  const more = schema['additionalProperties']
  if (more !== undefined && more !== false) others.push(more)
  const index = [...new Set(others.map((one) => writeType(one, depth)))].join(' | ')
  const record = `Readonly<Record<string, ${index}>>`
  if (members.length === 0) return index === '' ? 'Readonly<Record<string, unknown>>' : record
  const own = [
    '{',
    ...members.flatMap(([name, member]) =>
      writeMember(name, member, required.includes(name), depth + 1),
    ),
    `${'  '.repeat(depth)}}`,
  ].join('\n')
  return index === '' ? own : `${own} & Readonly<Record<string, unknown>>`
}

function joinTypes(schemas: unknown, between: string, depth: number): string {
  return readList(schemas)
    .map((schema) => `(${writeType(schema, depth)})`)
    .join(between)
}

function writeLiteral(value: unknown): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value)
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function writeName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name)
}

/** A description as a comment, wrapped as those that people write. */
function writeComment(description: unknown, depth: number): string[] {
  if (typeof description !== 'string' || description === '') return []
  const indent = '  '.repeat(depth)
  const text = description.replaceAll('*/', '*\u200B/').replaceAll(/\s+/g, ' ').trim()
  const single = `${indent}/** ${text} */`
  if (single.length <= WIDTH) return [single]
  const lines: string[] = []
  let line = `${indent} *`
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH && line !== `${indent} *`) {
      lines.push(line)
      line = `${indent} *`
    }
    line += ` ${word}`
  }
  return [`${indent}/**`, ...lines, line, `${indent} */`]
}

function readRecord(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`the document has ${JSON.stringify(value)} where an object belongs`)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members
  return value as Json
}

function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('the document has no list where one belongs')
  return value
}
