// Compiles schemas to checks of requests. A body is never converted: with Fastify's default
// coercion `[1,true,null]` passes as an array of strings. Query parameters are text, so their
// numbers and booleans are converted, in their plain spelling only.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import type { FieldProblem } from '../../values/field-problem.ts'
import { requestNotValid } from '../errors.ts'
import type { OperatingError } from '../operating-error.ts'
import { describeShapes } from './describe-shape.ts'

// With `allErrors` a bad body costs time for each fault. The size of bodies is limited, and so is
// the number of listed faults.
const PROBLEMS_MAX = 20
// A failed union brings the faults of all its members. All errors are compared in pairs, which
// takes some milliseconds at this limit.
const ERRORS_MAX = 300
// A pointer may contain a member name from the caller; a long one is cut in the answer.
const POINTER_LENGTH_MAX = 200

// `verbose` puts the failed schema into each error, because the allowed values of a union are read
// from it. Formats are not checked here but by the parsers of the models.
const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, validateFormats: false })

export type Validate = (value: unknown) => OperatingError | null

/** A check of a JSON body; its result is null when the body is valid. */
export function compileBodyCheck(schema: TSchema): Validate {
  return explainWith(schema, 'The request body is not valid.')
}

/** A check of path parameters. */
export function compileParamsCheck(schema: TSchema): Validate {
  return explainWith(schema, 'A part of the path is not valid.')
}

/** A check of query parameters. It also converts the text of numbers and booleans, in place. */
export function compileQueryCheck(schema: TSchema, unknownQuery: 'refused' | 'ignored'): Validate {
  const strict = unknownQuery === 'refused' ? { ...schema, additionalProperties: false } : schema
  const convert = compileConversion(schema)
  const check = explainWith(strict, 'A query parameter is not valid.')
  return (value) => {
    convert(value)
    return check(value)
  }
}

// Plain decimals with no more digits than a double can hold. JavaScript would also accept `0x10`,
// `1e3`, ` 5` and `5.`.
const NUMBER_PATTERN = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

/** A value that cannot be converted stays text, and the check refuses its type. */
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

/** The faults of a value, by JSON pointer; none when it is valid. */
export type CheckFields = (value: unknown) => readonly FieldProblem[]

/** A check of a part of a body, such as the config of a node. */
export function compileFieldCheck(schema: TSchema): CheckFields {
  const validate = ajv.compile(schema)
  return (value) => {
    if (validate(value)) return []
    return listProblems(validate).map(({ path, reason }) => ({
      path: path === '/' ? '' : path,
      reason,
    }))
  }
}

// Compiled at the first use. Compiling all schemas would be a quarter of the processor time of the
// start, and a process never serves most of the routes.
function explainWith(schema: TSchema, sentence: string): Validate {
  let compiled: ValidateFunction | null = null
  return (value) => {
    compiled ??= ajv.compile(schema)
    const validate = compiled
    return validate(value) ? null : requestNotValid(sentence, listProblems(validate))
  }
}

/** Of a check that has just failed. */
function listProblems({ errors }: ValidateFunction): readonly FieldProblem[] {
  return pickRelevant((errors ?? []).slice(0, ERRORS_MAX))
    .slice(0, PROBLEMS_MAX)
    .map(explain)
}

/**
 * Replaces the errors of a failed union: by the faults of the only member that fits the type of the
 * value, else by the error of the union itself.
 */
function pickRelevant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf')
  const outer = unions.filter((union) => !unions.some((other) => isWithin(union, other)))
  return errors.flatMap((error) => {
    if (outer.includes(error)) return pickOfUnion(error, errors)
    return outer.some((union) => isWithin(error, union)) ? [] : [error]
  })
}

function pickOfUnion(union: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  // The schema path of a union goes on with the number of its member.
  const faultsByMember = Map.groupBy(
    errors.filter((error) => isWithin(error, union)),
    ({ schemaPath }) => schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0],
  )
  const [fitting, another] = [...faultsByMember.values()].filter(
    (faults) => !faults.some((fault) => isOfAnotherType(fault, union)),
  )
  return fitting === undefined || another !== undefined ? [union] : pickRelevant(fitting)
}

/** True for an error of a member of the union, about the value of the union or a part of it. */
function isWithin(error: ErrorObject, union: ErrorObject): boolean {
  const { schemaPath, instancePath } = error
  return (
    schemaPath.length > union.schemaPath.length &&
    (instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`)) &&
    schemaPath.startsWith(`${union.schemaPath}/`)
  )
}

/** True when the error shows that the value has another type than the union's member. */
function isOfAnotherType({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean {
  return instancePath === union.instancePath && ['type', 'const', 'enum', 'anyOf'].includes(keyword)
}

function explain(error: ErrorObject): FieldProblem {
  const detail: Record<string, unknown> = error.params
  const path = error.instancePath.slice(0, POINTER_LENGTH_MAX)
  const pathOf = (member: unknown): string =>
    `${error.instancePath}/${String(member)}`.slice(0, POINTER_LENGTH_MAX)
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: pathOf(detail['additionalProperty']), reason: 'is not known here' }
    case 'required':
      return { path: pathOf(detail['missingProperty']), reason: 'is missing' }
    case 'enum':
    case 'const':
      return {
        path: path || '/',
        reason: listValues(detail['allowedValues'] ?? [detail['allowedValue']]),
      }
    case 'anyOf':
      return { path: path || '/', reason: explainUnion(error) }
    default:
      return { path: path || '/', reason: error.message ?? 'is not valid' }
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
