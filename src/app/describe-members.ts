// Gives each member, parameter and item of the document the word that it has beside its schema, or
// that openapi-words.ts has for it.

import type { Json } from './openapi.ts'
import { isRecord } from './openapi-schema.ts'
import { MEMBER_WORDS } from './openapi-words.ts'

/** The schemas, with a description of every member that a word is known for. */
export function describeSchemas(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeIn(name, schema, schemas)]),
  )
}

/** A part of the document outside of the schemas with names. */
export function describeMembers(part: unknown, schemas: Json): unknown {
  return describeIn(null, part, schemas)
}

function describeIn(owner: string | null, part: unknown, schemas: Json): unknown {
  if (Array.isArray(part)) return part.map((one) => describeIn(owner, one, schemas))
  if (!isRecord(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === 'example' || key === 'examples') return [key, value]
      if (key !== 'properties' || !isRecord(value)) return [key, describeIn(owner, value, schemas)]
      const members = Object.entries(value).map(([name, member]) => [
        name,
        describeMember(owner, name, describeIn(owner, member, schemas), schemas),
      ])
      return [key, Object.fromEntries(members)]
    }),
  )
}

function describeMember(
  owner: string | null,
  name: string,
  member: unknown,
  schemas: Json,
): unknown {
  if (!isRecord(member) || hasWord(member, schemas)) return member
  const own = owner === null ? undefined : MEMBER_WORDS[`${owner}.${name}`]
  const description = own ?? findInUnion(member, schemas) ?? MEMBER_WORDS[name]
  return description === undefined ? member : { ...member, description }
}

/** Its own description, or that of the schema to which it refers. */
export function hasWord(member: Json, schemas: Json): boolean {
  return readWord(member, schemas) !== null
}

function readWord(member: Json, schemas: Json): string | null {
  const { description, $ref: reference } = member
  if (typeof description === 'string') return description
  if (typeof reference !== 'string') return null
  const target = schemas[reference.slice(reference.lastIndexOf('/') + 1)]
  return isRecord(target) ? readWord(target, schemas) : null
}

/** A member that may be null has the description inside of its union. */
function findInUnion({ anyOf }: Json, schemas: Json): string | undefined {
  if (!Array.isArray(anyOf)) return undefined
  for (const one of anyOf) {
    const word = isRecord(one) ? readWord(one, schemas) : null
    if (word !== null) return word
  }
  return undefined
}
