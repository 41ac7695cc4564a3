// JSON whose text is the same whenever the value is: members sorted by name, no blanks. For what is
// hashed and compared later, after a database has kept it.

/** Of what `JSON.stringify` would make of `value`; `null` for undefined. */
export function writeCanonicalJson(value: unknown): string {
  const text = JSON.stringify(value)
  if (text === undefined) return 'null'
  // A value from the database, or one that has just become text: both are plain JSON.
  return JSON.stringify(sortMembers(JSON.parse(text)))
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]))
}
