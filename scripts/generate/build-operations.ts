// Writes resources/operations.json: what the command line knows of each operation of the interface,
// so that its flags and its checks come from the document that the server works by.

import type { CliMember, CliOperation } from '../../src/cli/operations/operation.ts'
import { asList, asMembers, type Members, resolveReference } from './read-json.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** One line an operation, so that a change shows in a difference. */
export function buildOperations(document: object): string {
  const whole = asMembers(document)
  const operations: CliOperation[] = []
  for (const [path, item] of Object.entries(asMembers(whole['paths']))) {
    for (const method of METHODS) {
      const operation = asMembers(asMembers(item)[method])
      if (typeof operation['operationId'] !== 'string') continue
      operations.push(readOperation(whole, method, path, operation))
    }
  }
  return `[\n${operations.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`
}

function readOperation(
  document: Members,
  method: string,
  path: string,
  operation: Members,
): CliOperation {
  const parameters = asList(operation['parameters']).map(asMembers)
  const ofKind = (kind: string): readonly CliMember[] =>
    parameters
      .filter((one) => one['in'] === kind)
      .map((one) =>
        readMember(document, String(one['name']), one['schema'], {
          isRequired: one['required'] === true,
          word: one['description'],
        }),
      )
  const content = asMembers(asMembers(operation['requestBody'])['content'])
  const types = Object.keys(content)
  const given = resolveReference(document, asMembers(content['application/json'])['schema'])
  const body = given['type'] === 'array' ? resolveReference(document, given['items']) : given
  const required = new Set(asList(body['required']))
  return {
    id: String(operation['operationId']),
    method: method.toUpperCase(),
    path,
    title: typeof operation['summary'] === 'string' ? operation['summary'] : '',
    params: ofKind('path'),
    query: ofKind('query'),
    types,
    ...(given['type'] === 'array' ? { isArray: true as const } : {}),
    body: Object.entries(asMembers(body['properties'])).map(([name, schema]) =>
      readMember(document, name, schema, {
        isRequired: required.has(name),
        word: asMembers(schema)['description'],
      }),
    ),
  }
}

function readMember(
  document: Members,
  name: string,
  schema: unknown,
  { isRequired, word }: { readonly isRequired: boolean; readonly word: unknown },
): CliMember {
  const { kind, values, isNullable } = readKind(document, schema)
  return {
    name,
    kind,
    ...(values.length === 0 ? {} : { values }),
    ...(isRequired ? { isRequired } : {}),
    ...(isNullable ? { isNullable } : {}),
    word: typeof word === 'string' ? word : '',
  }
}

interface Kind {
  readonly kind: CliMember['kind']
  readonly values: readonly string[]
  readonly isNullable: boolean
}

function readKind(document: Members, given: unknown): Kind {
  const schema = resolveReference(document, given)
  const ways = asList(schema['anyOf'] ?? schema['oneOf']).map((way) =>
    resolveReference(document, way),
  )
  if (ways.length > 0) {
    const isNullable = ways.some((way) => way['type'] === 'null' || way['const'] === null)
    const others = ways.filter((way) => way['type'] !== 'null' && way['const'] !== null)
    const constants = others.flatMap(({ const: value }) =>
      typeof value === 'string' ? [value] : [],
    )
    if (constants.length === others.length) return { kind: 'text', values: constants, isNullable }
    const [only] = others
    if (others.length === 1 && only !== undefined) {
      return { ...readKind(document, only), isNullable }
    }
    return { kind: 'json', values: [], isNullable }
  }
  const types = [schema['type']].flat()
  const isNullable = types.includes('null')
  const type = types.find((one) => one !== 'null')
  const values = asList(schema['enum']).filter((value) => typeof value === 'string')
  if (type === 'string' || values.length > 0) return { kind: 'text', values, isNullable }
  if (type === 'integer' || type === 'number') return { kind: 'number', values: [], isNullable }
  if (type === 'boolean') return { kind: 'truth', values: [], isNullable }
  const items = type === 'array' ? readKind(document, schema['items']) : null
  if (items?.kind === 'text') return { kind: 'texts', values: items.values, isNullable }
  return { kind: 'json', values: [], isNullable }
}
