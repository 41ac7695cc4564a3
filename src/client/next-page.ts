// The ways in which lists of the interface are paged, as one: which query parameters lead to the
// page after this one, and where the items of a page are.

export type PageQuery = Readonly<Record<string, unknown>>

type Members = Readonly<Record<string, unknown>>

/** The parameters of the next page; null when this is the last one. */
export function findNextQuery(page: unknown, query: PageQuery): PageQuery | null {
  const body = readMembers(page)
  // Cases and everything else outside of threat intelligence.
  if (typeof body['next_cursor'] === 'string') return leadTo('cursor', body['next_cursor'])
  const result = readMembers(body['result'])
  // The items of a tag are counted, in one state of the set.
  if (typeof result['snapshot'] === 'string') {
    const offset = Number(query['offset'] ?? 0) + readPageItems(page).length
    const isLast = readPageItems(page).length === 0 || offset >= Number(result['total'])
    return isLast ? null : { offset, snapshot: result['snapshot'] }
  }
  // The changes have a next place always, and say whether there is something now.
  if (result['more'] === false) return null
  return leadTo('after', result['next'])
}

function leadTo(name: string, value: unknown): PageQuery | null {
  return typeof value === 'string' && value !== '' ? { [name]: value } : null
}

/** The items of a page, whatever the list calls them. */
export function readPageItems(page: unknown): readonly unknown[] {
  const body = readMembers(page)
  const result = readMembers(body['result'])
  const lists = [body['items'], result['items'], result['entries'], result['changes']]
  const found = lists.find((list) => Array.isArray(list))
  return Array.isArray(found) ? found : []
}

function readMembers(value: unknown): Members {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}
