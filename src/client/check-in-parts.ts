// A quick check of any number of items: parts as large as the server takes, two of them under way,
// answered in the order of the items.

// The limits of a quick check: so many items, and a body below 1 MiB.
const ITEMS_MAX = 1_000
const BYTES_MAX = 1_000_000
// With two the server never waits for the client.
const PARTS_UNDER_WAY = 2

/** `check` answers a part with one result for each item. */
export async function* checkInParts<T>(
  items: Iterable<string> | AsyncIterable<string>,
  check: (part: readonly string[]) => Promise<readonly T[]>,
): AsyncGenerator<T, void> {
  const underWay: Promise<readonly T[]>[] = []
  for await (const part of readParts(items)) {
    const checked = check(part)
    // It is awaited later; until then its rejection must not end the process.
    checked.catch(() => undefined)
    underWay.push(checked)
    if (underWay.length >= PARTS_UNDER_WAY) yield* (await underWay.shift()) ?? []
  }
  for (const checked of underWay) yield* await checked
}

async function* readParts(
  items: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<readonly string[]> {
  const encoder = new TextEncoder()
  let part: string[] = []
  let bytes = 0
  for await (const item of items) {
    const itemBytes = encoder.encode(JSON.stringify(item)).length + 1
    if (part.length === ITEMS_MAX || (part.length > 0 && bytes + itemBytes > BYTES_MAX)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += itemBytes
  }
  if (part.length > 0) yield part
}
