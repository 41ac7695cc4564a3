// Facts of one push in the order of its rows, as flat words in shared memory. The thread that read
// the push hands them to the thread that extends the set (extend-snapshots.ts), without a copy and
// without a query to the database.

import { parseIpv4 } from '../../values/address.ts'
import { OriginCollector, type Origins } from './origins.ts'
import {
  FACT_ALLOWANCE,
  FACT_LISTING,
  FACT_SIGHTING,
  FACT_TAGGING,
  packOrigin,
  toWord,
} from './record.ts'

/**
 * [address or index among the texts, origin, first, last, extra]; the last three as in a record.
 */
export const LOG_WORDS = 5

export interface FactLog {
  readonly origins: Origins
  /** Facts of IPv4 addresses. */
  readonly ipv4: Uint32Array<SharedArrayBuffer>
  /** Facts of other subjects, which `texts` names. */
  readonly others: Uint32Array<SharedArrayBuffer>
  /** Canonical texts, each ended by a newline. */
  readonly texts: string
}

export type StatementFactKind = typeof FACT_LISTING | typeof FACT_ALLOWANCE | typeof FACT_TAGGING

/** Add all facts, then `build` once. */
export class FactLogWriter {
  readonly #origins = new OriginCollector()
  readonly #ipv4 = new GrowingWords()
  readonly #others = new GrowingWords()
  #texts = ''
  #textCount = 0
  // The origin of the row before, which is most often the same.
  #lastKey = ''
  #lastOrigin = 0

  /** Times in seconds since 1970; `expires` is 0 for never. */
  addStatement(
    subject: string,
    kind: StatementFactKind,
    { name, source }: { readonly name: string; readonly source: string },
    [first, last, expires]: readonly [number, number, number],
  ): void {
    // The database keeps no NUL, so the parts cannot run into each other.
    const key = `${kind}\0${name}\0${source}`
    if (key !== this.#lastKey) {
      this.#lastOrigin = packOrigin(kind, this.#numberOf(kind, name, source))
      this.#lastKey = key
    }
    this.#push(subject, this.#lastOrigin, first, last, expires)
  }

  #numberOf(kind: StatementFactKind, name: string, source: string): number {
    switch (kind) {
      case FACT_LISTING:
        return this.#origins.listing({ list: name, source })
      case FACT_ALLOWANCE:
        return this.#origins.allowance({ list: name, source })
      case FACT_TAGGING:
        return this.#origins.tagging({ tag: name, source })
    }
  }

  addSighting(
    subject: string,
    origin: Origins['sightings'][number],
    [first, last, count]: readonly [number, number, number],
  ): void {
    const number = this.#origins.sighting(origin)
    this.#push(subject, packOrigin(FACT_SIGHTING, number), first, last, count)
  }

  #push(subject: string, origin: number, first: number, last: number, extra: number): void {
    const address = parseIpv4(subject)
    if (address >= 0) {
      this.#ipv4.push(address, origin, first, last, extra)
      return
    }
    this.#others.push(this.#textCount, origin, first, last, extra)
    this.#texts += `${subject}\n`
    this.#textCount += 1
  }

  build(): FactLog {
    const { listings, allowances, taggings, sightings } = this.#origins
    return {
      origins: { listings, allowances, taggings, sightings },
      ipv4: this.#ipv4.toShared(),
      others: this.#others.toShared(),
      texts: this.#texts,
    }
  }
}

const ENTRIES_MIN = 256

class GrowingWords {
  #words = new Uint32Array(ENTRIES_MIN * LOG_WORDS)
  #length = 0

  push(subject: number, origin: number, first: number, last: number, extra: number): void {
    if (this.#length === this.#words.length) {
      const grown = new Uint32Array(this.#words.length * 2)
      grown.set(this.#words)
      this.#words = grown
    }
    const at = this.#length
    const words = this.#words
    words[at] = subject
    words[at + 1] = origin
    words[at + 2] = toWord(first)
    words[at + 3] = toWord(last)
    words[at + 4] = toWord(extra)
    this.#length = at + LOG_WORDS
  }

  toShared(): Uint32Array<SharedArrayBuffer> {
    const shared = new Uint32Array(new SharedArrayBuffer(this.#length * 4))
    shared.set(this.#words.subarray(0, this.#length))
    return shared
  }
}
