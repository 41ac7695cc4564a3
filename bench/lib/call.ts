// Single requests to the server under measurement, which must succeed.

/** Sends JSON, or lines of JSON when the body is a text. The JSON of the answer; null for none. */
export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

/** Calls by a token. They throw at an answer that is no success, with its text. */
export function createCaller(port: number, token: string): Call {
  return async (method, path, body) => {
    const isLines = typeof body === 'string'
    const mediaType = isLines ? 'application/x-ndjson' : 'application/json'
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': mediaType }),
      },
      ...(body === undefined ? {} : { body: isLines ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
    return text === '' ? null : JSON.parse(text)
  }
}

/** A member of an answer. Throws when it is not there. */
export function readMember(value: unknown, member: string): unknown {
  if (typeof value !== 'object' || value === null || !(member in value)) {
    throw new Error(`no ${member} in ${JSON.stringify(value)?.slice(0, 200)}`)
  }
  return Reflect.get(value, member)
}

/** The entries of a page. */
export function readItems(page: unknown): readonly unknown[] {
  const items = readMember(page, 'items')
  if (!Array.isArray(items)) throw new Error(`no items in ${JSON.stringify(page).slice(0, 200)}`)
  return items
}
