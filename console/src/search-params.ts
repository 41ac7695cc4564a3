// Reads the values of a URL, which a person may have typed: whatever they say, a page gets what it
// asked for or its default.

type Given = Readonly<Record<string, unknown>>

/** The text, or undefined when there is none. */
export function readText(search: Given, name: string): string | undefined {
  const value = search[name]
  const one: unknown = Array.isArray(value) ? value[0] : value
  // What the router hands back was read before: a number then.
  const text = typeof one === 'number' || typeof one === 'boolean' ? String(one) : one
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** All values of the name. */
export function readTexts(search: Given, name: string): readonly string[] {
  const value = search[name]
  return (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === 'string' && one !== '',
  )
}

/** One of the choices, or undefined. */
export function readChoice<Choice extends string>(
  search: Given,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = readText(search, name)
  return choices.find((choice) => choice === text)
}

/** A whole number that is not negative, or undefined. */
export function readCount(search: Given, name: string): number | undefined {
  const text = readText(search, name)
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** A name that stands several times becomes a list; every value is text. */
export function readSearch(text: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {}
  const given = new URLSearchParams(text)
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name)
    search[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return search
}

/** Leaves out what is undefined, null, an empty text or an empty list. */
export function writeSearch(search: Given): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null || one === '') continue
      written.append(name, String(one))
    }
  }
  const text = written.toString()
  return text === '' ? '' : `?${text}`
}

/** A path of this console; a link from outside must not lead a fresh session elsewhere. */
export function readOwnPath(search: Given, name: string): string | undefined {
  const text = readText(search, name)
  if (text === undefined || !/^\/(?![/\\])/.test(text)) return undefined
  const url = new URL(text, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : undefined
}
