// Turns a TypeBox schema into the form of the OpenAPI document: plain JSON, and unions of fixed
// values as `enum`, which generators of clients understand better.

import type { TSchema } from 'typebox'
import { MEMBER_DESCRIPTION, ONE_MEMBER_OF, SCHEMA_NAME } from '../vocabulary/named-schema.ts'

/** The schema as plain JSON. */
export function presentSchema(schema: TSchema): unknown {
  // TypeBox keeps symbols of its own in the schema; JSON leaves them out.
  const plain: unknown = JSON.parse(JSON.stringify(schema))
  return simplify(plain)
}

function simplify(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplify)
  if (!isRecord(schema)) return schema
  const { [ONE_MEMBER_OF]: alternatives, ...given } = schema
  const members: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).map(([name, member]) => [name, simplify(member)]),
  )
  if (Array.isArray(alternatives)) {
    members['oneOf'] = alternatives.map((name) => ({ required: [name] }))
  }
  const { anyOf, ...rest } = members
  const values = readFixedValues(anyOf)
  if (values === null) {
    const [only, second] = Array.isArray(anyOf) ? anyOf : []
    // A union of one schema is that schema.
    return isRecord(only) && second === undefined ? { ...only, ...rest } : nameWholeNumber(members)
  }
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  return { ...rest, type: types.length === 1 ? types[0] : types, enum: values }
}

export interface LiftedSchemas {
  /** What was given, with a reference in the place of each schema that has a name. */
  readonly value: unknown
  readonly schemas: Readonly<Record<string, unknown>>
}

/** Takes the schemas with names out of a part of the document. Throws when two have one name. */
export function liftSchemas(part: unknown): LiftedSchemas {
  const schemas = new Map<string, unknown>()
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift)
    if (!isRecord(value)) return value
    const { [SCHEMA_NAME]: name, [MEMBER_DESCRIPTION]: description, ...members } = value
    const lifted = Object.fromEntries(
      Object.entries(members).map(([key, member]) => [key, lift(member)]),
    )
    const own = description === undefined ? {} : { description }
    if (typeof name !== 'string') return { ...lifted, ...own }
    const former = schemas.get(name)
    if (former !== undefined && JSON.stringify(former) !== JSON.stringify(lifted)) {
      throw new Error(`two schemas have the name ${name}`)
    }
    schemas.set(name, lifted)
    return { $ref: `#/components/schemas/${name}`, ...own }
  }
  return { value: lift(part), schemas: Object.fromEntries(schemas) }
}

/** A fixed whole number is an integer in JSON Schema; TypeBox calls it a number. */
function nameWholeNumber(schema: Record<string, unknown>): Record<string, unknown> {
  return schema['type'] === 'number' && Number.isInteger(schema['const'])
    ? { ...schema, type: 'integer' }
    : schema
}

/** The values of a union of fixed values only; null for any other schema. */
function readFixedValues(anyOf: unknown): readonly unknown[] | null {
  if (!Array.isArray(anyOf) || anyOf.length === 0) return null
  const values: unknown[] = []
  for (const member of anyOf) {
    if (!isRecord(member) || !('const' in member) || 'description' in member) return null
    values.push(member['const'])
  }
  return values
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
