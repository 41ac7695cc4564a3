// Walks a value along its schema: members come into the order of the schema, and names that refer
// to something of the tenant are found. A schema says so by `x-refers-to`, which editors see too.

import { isJsonObject, joinPointer } from '../../../values/json-value.ts'
import { REFERS_TO } from '../nodes/reference-config.ts'

const REFERENCE_KINDS = ['secret', 'template', 'playbook', 'calendar'] as const
type ReferenceKind = (typeof REFERENCE_KINDS)[number]

/** A name in a graph that stands for something of the tenant. */
export interface Reference {
  readonly kind: ReferenceKind
  readonly name: string
  /** JSON pointer of the place. */
  readonly path: string
}

/** The value with its members in one order, and each name replaced by what `replace` gives. */
export function arrangeBySchema(
  schema: unknown,
  value: unknown,
  path: string,
  replace: (reference: Reference) => string,
): unknown {
  if (!isJsonObject(schema)) return arrangeMembers(value)
  if (Array.isArray(schema['anyOf'])) {
    const member = schema['anyOf'].find((one) => isLike(one, value))
    return arrangeBySchema(member, value, path, replace)
  }
  if (typeof value === 'string') {
    const kind = readKind(schema[REFERS_TO])
    return kind === null ? value : replace({ kind, name: value, path })
  }
  if (Array.isArray(value)) {
    const { items } = schema
    return value.map((one, at) => arrangeBySchema(items, one, joinPointer(path, at), replace))
  }
  if (!isJsonObject(value)) return value
  const known = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const others = readOthers(schema)
  const names = Object.keys(known).filter((name) => Object.hasOwn(value, name))
  const further = Object.keys(value).filter((name) => !Object.hasOwn(known, name))
  return fromEntries(
    [...names, ...further.toSorted()].map((name) => [
      name,
      arrangeBySchema(
        Object.hasOwn(known, name) ? known[name] : others,
        value[name],
        joinPointer(path, name),
        replace,
      ),
    ]),
  )
}

/** Members of objects by name: what has no schema. */
export function arrangeMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(arrangeMembers)
  if (!isJsonObject(value)) return value
  return fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, arrangeMembers(value[name])]),
  )
}

// `__proto__` as a name is a member like any other.
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries)
}

function readKind(given: unknown): ReferenceKind | null {
  return REFERENCE_KINDS.find((one) => one === given) ?? null
}

/** The schema of the members of a record. */
function readOthers(schema: Record<string, unknown>): unknown {
  const patterns = isJsonObject(schema['patternProperties']) ? schema['patternProperties'] : {}
  return Object.values(patterns)[0] ?? schema['additionalProperties']
}

/** Whether the value may be meant by this member of a union: by type, fixed values and names. */
function isLike(schema: unknown, value: unknown): boolean {
  if (!isJsonObject(schema)) return false
  if ('const' in schema) return schema['const'] === value
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].some((one) => isLike(one, value))
  const { type } = schema
  if (typeof value === 'string') return type === 'string'
  if (Array.isArray(value)) return type === 'array'
  if (!isJsonObject(value)) return typeof value === type || type === 'integer'
  if (type !== 'object') return false
  const known = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const isOpen = !('properties' in schema)
  return Object.entries(value).every(([name, member]) => {
    const own = Object.hasOwn(known, name) ? known[name] : undefined
    if (own === undefined) return isOpen
    return !isJsonObject(own) || !('const' in own) || own['const'] === member
  })
}
