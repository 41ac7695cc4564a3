// Describes in words the values that a schema allows, for an error message: "a text of 1 to 256
// characters, or null".

/** Describes the members of a union, joined by commas and "or". */
export function describeShapes(schemas: readonly unknown[]): string {
  const words = [...new Set(schemas.flatMap(listMembers).map(describeShape))]
  const last = words.at(-1) ?? 'another value'
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')}, or ${last}`
}

/** The members of a schema; nested unions are flattened. */
function listMembers(schema: unknown): readonly unknown[] {
  const members = toRecord(schema)['anyOf']
  return Array.isArray(members) ? members.flatMap(listMembers) : [schema]
}

function describeShape(schema: unknown): string {
  const of = toRecord(schema)
  if ('const' in of) return JSON.stringify(of['const'])
  switch (of['type']) {
    case 'string':
      return `a text${describeLength(of['minLength'], of['maxLength'], ' characters')}`
    case 'integer':
      return `a whole number${describeBounds(of['minimum'], of['maximum'])}`
    case 'number':
      return `a number${describeBounds(of['minimum'], of['maximum'])}`
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'array':
      return `a list${describeLength(of['minItems'], of['maxItems'], '')}`
    case 'object':
      return `an object${describeRequired(of['required'])}`
    default:
      return 'another value'
  }
}

function describeLength(from: unknown, to: unknown, unit: string): string {
  if (typeof from === 'number' && typeof to === 'number') return ` of ${from} to ${to}${unit}`
  if (typeof to === 'number') return ` of up to ${to}${unit}`
  return typeof from === 'number' ? ` of at least ${from}${unit}` : ''
}

function describeBounds(from: unknown, to: unknown): string {
  if (typeof from === 'number' && typeof to === 'number') return ` from ${from} to ${to}`
  if (typeof to === 'number') return ` up to ${to}`
  return typeof from === 'number' ? ` from ${from} on` : ''
}

function describeRequired(names: unknown): string {
  return Array.isArray(names) && names.length > 0 ? ` with ${names.join(', ')}` : ''
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
