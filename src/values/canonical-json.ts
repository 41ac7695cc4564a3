// JSON whose text is the same whenever the value is: members sorted by name, no blanks. For what is
// hashed and compared later, after a database has kept it.

/** Of what `JSON.stringify` would make of `value`; `null` for undefined. */
export function writeCanonicalJson(value: unknown): string {
  return write(value, '') ?? 'null'
}

/** In one pass: a verification of the audit log writes three texts an entry. */
function write(given: unknown, name: string): string | undefined {
  const value = readPlain(given, name)
  // Texts, numbers and what else has no members.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    // Unlike `map`, this visits the holes of a sparse array.
    return `[${Array.from(value, (one, index) => write(one, String(index)) ?? 'null').join()}]`
  }
  const members: string[] = []
  for (const [key, member] of sortMembers(Object.entries(value))) {
    const text = write(member, key)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join()}}`
}

/** As `JSON.stringify` sees it: a time is its text, a boxed value its value. */
function readPlain(given: unknown, name: string): unknown {
  if (typeof given !== 'object' || given === null) return given
  const value: unknown =
    'toJSON' in given && typeof given.toJSON === 'function' ? given.toJSON(name) : given
  // oxlint-disable-next-line unicorn/no-instanceof-builtins -- JSON.stringify knows them by this
  const isBoxed = value instanceof Number || value instanceof String || value instanceof Boolean
  return isBoxed ? value.valueOf() : value
}

type Member = readonly [string, unknown]

/** By name. Array indexes come first, by number, as objects hold them: digests are kept. */
function sortMembers(members: readonly Member[]): readonly Member[] {
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.some(([name]) => /^\d/.test(name))
    ? Object.entries(Object.fromEntries(sorted))
    : sorted
}
