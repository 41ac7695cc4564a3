// Where a search leads: an address, range or domain to its look-up, the id of a record to its page,
// all else to the results.

// An item that analysts paste may be defanged (`evil[.]example`, `hxxp://…`); the interface reads
// it. Here it only matters that it looks like one.
const ITEM =
  /^(?:(?:\d{1,3}(?:\.|\[\.\])){3}\d{1,3}|[\da-f:]*:[\da-f:.]+|(?:[\p{L}\d-]+(?:\.|\[\.\]))+[\p{L}\d-]{2,})$/iu

// A range (CIDR).
const RANGE = /^(?:(?:\d{1,3}\.){3}\d{1,3}\/\d{1,2}|[\da-f:]*:[\da-f:.]*\/\d{1,3})$/i

const PAGES_OF_IDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:C-|cas_)[\w-]+$/i, '/cases'],
  [/^rep_[\w-]+$/i, '/reports'],
  [/^evt_[\w-]+$/i, '/events'],
  [/^cus_[\w-]+$/i, '/customers'],
]

export function isItem(text: string): boolean {
  const asked = text.trim()
  return ITEM.test(asked) || RANGE.test(asked)
}

export function pathOfSearch(text: string): string {
  const asked = text.trim()
  if (isItem(asked)) return `/lookup/${encodeURIComponent(asked)}`
  const page = PAGES_OF_IDS.find(([pattern]) => pattern.test(asked))
  if (page !== undefined) return `${page[1]}/${encodeURIComponent(asked)}`
  return `/search?q=${encodeURIComponent(asked)}`
}
