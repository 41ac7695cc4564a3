// Names schemas for the OpenAPI document: one with a name is written out once, under
// components/schemas, and referred to everywhere else. Clients call the type by it.

import type { TSchema } from 'typebox'

/** The member that holds the name; checks of values ignore it. */
export const SCHEMA_NAME = 'x-schema-name'

/** What a member of this schema is, where the schema has a description of its own. */
export const MEMBER_DESCRIPTION = 'x-member-description'

/** The members of which an object has exactly one; the handler refuses none and several. */
export const ONE_MEMBER_OF = 'x-one-member-of'

/** The schema as a member with a description of its own: `describe(Severity, 'Of the group.')`. */
export function describe<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, [MEMBER_DESCRIPTION]: description }
}

/** Names the schema, in place: `named('Case', Type.Object({ … }))`. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  Reflect.set(schema, SCHEMA_NAME, name)
  return schema
}

/**
 * Names the schema after the one that it holds, or holds a list of: `Case` and `Page` make
 * `CasePage`. Without that name it has none.
 */
export function nameAfter<Schema extends TSchema>(
  held: TSchema,
  ending: string,
  schema: Schema,
): Schema {
  const name = readName(held)
  if (name !== null) return named(`${name}${ending}`, schema)
  const items: unknown = Reflect.get(held, 'items')
  const nameOfItems = typeof items === 'object' && items !== null ? readName(items) : null
  return nameOfItems === null ? schema : named(`${nameOfItems}List${ending}`, schema)
}

function readName(schema: object): string | null {
  const name: unknown = Reflect.get(schema, SCHEMA_NAME)
  return typeof name === 'string' ? name : null
}
