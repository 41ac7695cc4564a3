// Where a search leads: an address, range or domain to its look-up, the id of a case to its page,
// all else to the results.

// An item that analysts paste may be defanged (`evil[.]example`, `hxxp://…`); the interface reads
// it. Here it only matters that it looks like one.
const ITEM =
  /^(?:(?:\d{1,3}(?:\.|\[\.\])){3}\d{1,3}|[\da-f:]*:[\da-f:.]+|(?:[\p{L}\d-]+(?:\.|\[\.\]))+[\p{L}\d-]{2,})$/iu

// A range (CIDR).
const RANGE = /^(?:(?:\d{1,3}\.){3}\d{1,3}\/\d{1,2}|[\da-f:]*:[\da-f:.]*\/\d{1,3})$/i

// A case by its whole id. The search of the interface knows its beginning, and all other ids.
const CASE_ID = /^C-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

export function isItem(text: string): boolean {
  const asked = text.trim()
  return ITEM.test(asked) || RANGE.test(asked)
}

export function pathOfSearch(text: string): string {
  const asked = text.trim()
  if (isItem(asked)) return `/lookup/${encodeURIComponent(asked)}`
  if (CASE_ID.test(asked)) return `/cases/${asked.toUpperCase()}`
  return `/search?q=${encodeURIComponent(asked)}`
}
