// A queue in which the keys take turns: one item of each that has any, in the order in which they
// came. A key with a thousand items holds up another one by one item. Within a key, and with one
// key alone, it is first in, first out.

export class TurnQueue<Item> {
  // The order of the map is the order of the turns.
  readonly #itemsByKey = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(key: string, item: Item): void {
    const items = this.#itemsByKey.get(key)
    if (items === undefined) this.#itemsByKey.set(key, [item])
    else items.push(item)
    this.#size += 1
  }

  /** The next item, which stays. */
  peek(): Item | undefined {
    for (const items of this.#itemsByKey.values()) return items[0]
    return undefined
  }

  /** Takes the next item; its key comes again after all others. */
  shift(): Item | undefined {
    for (const [key, items] of this.#itemsByKey) {
      this.#itemsByKey.delete(key)
      const item = items.shift()
      if (items.length > 0) this.#itemsByKey.set(key, items)
      this.#size -= 1
      return item
    }
    return undefined
  }

  /** False when it is not there. */
  remove(key: string, item: Item): boolean {
    const items = this.#itemsByKey.get(key)
    const at = items?.indexOf(item) ?? -1
    if (items === undefined || at < 0) return false
    items.splice(at, 1)
    if (items.length === 0) this.#itemsByKey.delete(key)
    this.#size -= 1
    return true
  }

  countOf(key: string): number {
    return this.#itemsByKey.get(key)?.length ?? 0
  }

  /** The newest item of the key that has the most; for a queue that is full. */
  findNewestOfLongest(): { readonly key: string; readonly item: Item } | null {
    let longest: { readonly key: string; readonly items: readonly Item[] } | null = null
    for (const [key, items] of this.#itemsByKey) {
      if (longest === null || items.length > longest.items.length) longest = { key, items }
    }
    const item = longest?.items.at(-1)
    return longest === null || item === undefined ? null : { key: longest.key, item }
  }

  /** Takes all items, in no order that means anything. */
  clear(): readonly Item[] {
    const items = [...this.#itemsByKey.values()].flat()
    this.#itemsByKey.clear()
    this.#size = 0
    return items
  }
}
