// Parts of a JSON document whose form is not known: what is absent or of another kind is empty.

export type Members = Readonly<Record<string, unknown>>

export function asMembers(value: unknown): Members {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The schema itself, or the one of the document that it refers to. */
export function resolveReference(document: Members, given: unknown): Members {
  const schema = asMembers(given)
  const target = schema['$ref']
  if (typeof target !== 'string') return schema
  const path = target.slice('#/'.length).split('/')
  return path.reduce((part, name) => asMembers(part[name]), document)
}
