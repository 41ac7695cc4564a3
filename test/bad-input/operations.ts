// The operations of openapi/beta.json, as the suites of bad input read them, and whether an answer
// is as the document says.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { findPackageRoot } from '../../src/values/resources.ts'

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly schema: Schema
}

export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Of a body of JSON; null where the operation takes none. */
  readonly body: Schema | null
  readonly responses: Readonly<Record<string, ResponseDescription>>
}

interface ResponseDescription {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as it stands
const document: any = JSON.parse(readFileSync(join(findPackageRoot(), 'openapi/beta.json'), 'utf8'))

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'openapi', components: document.components })

export const OPERATIONS: readonly Operation[] = Object.entries<Record<string, object>>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation)),
)

// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as it stands
function readOperation(path: string, method: string, operation: any): Operation {
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters: (operation.parameters ?? []).map(resolve),
    body: resolve(operation.requestBody ?? {})['content']?.['application/json']?.schema ?? null,
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, one]) => [status, resolve(one)]),
    ),
  }
}

/** What a reference leads to, or the value itself. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document is read as it stands
export function resolve(given: any): any {
  if (typeof given?.$ref !== 'string') return given
  return resolve(
    given.$ref
      .slice(2)
      .split('/')
      .reduce((place: Record<string, unknown>, part: string) => place[part], document),
  )
}

const compiled = new WeakMap<Schema, ValidateFunction>()

/** Null for a value that the schema of the document takes, else what is wrong. */
export function explainMisfit(schema: Schema, value: unknown): string | null {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')
    validate = ajv.compile(JSON.parse(text))
    compiled.set(schema, validate)
  }
  return validate(value) ? null : ajv.errorsText(validate.errors)
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Null for an answer that the document promises: its status, its media type and its body. */
export function explainAnswer(
  operation: Operation,
  { status, headers, text }: Answer,
): string | null {
  const response = operation.responses[status]
  if (status >= 500 && status !== 503) return 'is a fault of the service'
  if (response === undefined) return 'has a status that the document does not have'
  const given = headers['content-type']
  const type = typeof given === 'string' ? given.replace(/;.*/, '') : ''
  if (text === '') return null
  const content = response.content?.[type]
  if (content === undefined) return `has the media type "${type}", which the document does not have`
  if (!type.endsWith('json') || content.schema === undefined) return null
  return explainMisfit(content.schema, JSON.parse(text))
}
