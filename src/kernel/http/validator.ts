// Schemas as checks. Nothing is converted in a body: with Fastify's default coercion
// `[1,true,null]` passes as an array of strings. Query parameters travel as text, so
// numbers and booleans are read from it there, in their plain spelling only.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import type { FieldProblem } from '../../values/field-problem.ts'
import { requestNotValid } from '../errors.ts'
import type { OperatingError } from '../operating-error.ts'
import { describeShapes } from './describe-shape.ts'

// allErrors lets one bad body cost time per fault; bodies are bounded by size, and at most this
// many faults are listed.
const PROBLEMS_MAX = 20
// Of a union every member's faults are among the errors. Each is compared with each: some
// milliseconds.
const ERRORS_MAX = 300
// A pointer may hold a member name of the caller's; only a part of it is repeated.
const POINTER_LENGTH_MAX = 200

// `verbose` puts the failed schema into each error: the allowed values of a union are read from it.
// Formats are checked by the parsers of the models, which give the value as well.
const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, validateFormats: false })

export type Validate = (value: unknown) => OperatingError | null

/** A check of a JSON body; null when it holds. */
export function compileBodyCheck(schema: TSchema): Validate {
  return explainWith(schema, 'The request body is not valid.')
}

/** A check of path parameters. */
export function compileParamsCheck(schema: TSchema): Validate {
  return explainWith(schema, 'A part of the path is not valid.')
}

/** A check of query parameters that turns the text of numbers and booleans into such, in place. */
export function compileQueryCheck(schema: TSchema, unknownQuery: 'refused' | 'ignored'): Validate {
  const strict = unknownQuery === 'refused' ? { ...schema, additionalProperties: false } : schema
  const convert = compileConversion(schema)
  const check = explainWith(strict, 'A query parameter is not valid.')
  return (value) => {
    convert(value)
    return check(value)
  }
}

// Plain decimal and no more digits than a double holds: `0x10`, `1e3`, ` 5` and `5.` would be
// numbers too for JavaScript.
const NUMBER_PATTERN = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

/** What cannot be converted stays text, and the check refuses it by its type. */
function compileConversion(schema: TSchema): (query: unknown) => void {
  const converters = Object.entries(readProperties(schema)).flatMap(([name, property]) => {
    const convert = chooseConverter(property)
    return convert === null ? [] : [{ name, convert }]
  })
  return (query) => {
    if (!isRecord(query)) return
    for (const { name, convert } of converters) {
      const text = query[name]
      if (typeof text === 'string') query[name] = convert(text)
    }
  }
}

function chooseConverter(property: unknown): ((text: string) => unknown) | null {
  const type = isRecord(property) ? property['type'] : undefined
  if (type === 'integer' || type === 'number') {
    return (text) => (NUMBER_PATTERN.test(text) ? Number(text) : text)
  }
  if (type === 'boolean') {
    return (text) => (text === 'true' || text === 'false' ? text === 'true' : text)
  }
  return null
}

function readProperties(schema: unknown): Record<string, unknown> {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  return isRecord(properties) ? properties : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

// Compiled at its first use: all schemas at once would be a quarter of the start's processor time,
// and most are of routes that a process never serves.
function explainWith(schema: TSchema, sentence: string): Validate {
  let compiled: ValidateFunction | null = null
  return (value) => {
    compiled ??= ajv.compile(schema)
    const validate = compiled
    if (validate(value)) return null
    const relevant = pickRelevant((validate.errors ?? []).slice(0, ERRORS_MAX))
    return requestNotValid(sentence, relevant.slice(0, PROBLEMS_MAX).map(explain))
  }
}

/**
 * Of a union that failed: the faults of the one member whose kind of value it was, else the union
 * itself.
 */
function pickRelevant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf')
  const outer = unions.filter((union) => !unions.some((other) => isWithin(union, other)))
  return errors.flatMap((error) => {
    if (!outer.includes(error)) return outer.some((union) => isWithin(error, union)) ? [] : [error]
    const faults = Map.groupBy(
      errors.filter((one) => isWithin(one, error)),
      (one) => one.schemaPath.slice(error.schemaPath.length + 1).split('/', 1)[0],
    )
    const [fitting, another] = [...faults.values()].filter(
      (of) => !of.some((one) => isOther(one, error)),
    )
    return fitting === undefined || another !== undefined ? [error] : pickRelevant(fitting)
  })
}

function isWithin(error: ErrorObject, union: ErrorObject): boolean {
  const { schemaPath, instancePath } = error
  return (
    schemaPath.length > union.schemaPath.length &&
    (instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`)) &&
    schemaPath.startsWith(`${union.schemaPath}/`)
  )
}

/** Whether the value is nothing of the kind that the member of the union takes. */
function isOther({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean {
  return instancePath === union.instancePath && ['type', 'const', 'enum', 'anyOf'].includes(keyword)
}

function explain(error: ErrorObject): FieldProblem {
  const detail: Record<string, unknown> = error.params
  const place = error.instancePath.slice(0, POINTER_LENGTH_MAX)
  const placeOf = (member: unknown): string =>
    `${error.instancePath}/${String(member)}`.slice(0, POINTER_LENGTH_MAX)
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: placeOf(detail['additionalProperty']), reason: 'is not known here' }
    case 'required':
      return { path: placeOf(detail['missingProperty']), reason: 'is missing' }
    case 'enum':
    case 'const':
      return {
        path: place || '/',
        reason: listValues(detail['allowedValues'] ?? [detail['allowedValue']]),
      }
    case 'anyOf':
      return { path: place || '/', reason: explainUnion(error) }
    default:
      return { path: place || '/', reason: error.message ?? 'is not valid' }
  }
}

function explainUnion(error: ErrorObject): string {
  const members: unknown[] = Array.isArray(error.schema) ? error.schema : []
  const values = members.map((member) => (isRecord(member) ? member['const'] : undefined))
  return values.length > 0 && !values.includes(undefined)
    ? listValues(values)
    : `must be ${describeShapes(members)}`
}

function listValues(values: unknown): string {
  return `must be one of ${JSON.stringify(values)}`
}
