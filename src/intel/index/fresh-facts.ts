// What this process pushed and did not take into its set yet, so that the set need not ask the
// database for it. Only a saving: whatever is not here is read from the database as the pushes of
// other processes are.

import type { FactLog } from '../snapshot/fact-log.ts'

/** A push that is committed and of which every row was new. */
export interface FreshPush {
  readonly serial: number
  readonly mark: string
  readonly log: FactLog
}

/** Is told of pushes as they are committed. */
export interface PushListener {
  /**
   * A push is about to be committed; the answer is called once with what it brought, or null when
   * that must be read from the database.
   */
  readonly expect: () => (push: FreshPush | null) => void
}

// Some seconds of an import. Each holds about 20 bytes a row.
const PUSHES_MAX = 32
const BYTES_MAX = 128 * 1_024 * 1_024

export class FreshFacts implements PushListener {
  readonly #pushes = new Map<number, FreshPush>()
  readonly #expected = new Set<Promise<void>>()
  #bytes = 0

  readonly expect = (): ((push: FreshPush | null) => void) => {
    const told = Promise.withResolvers<void>()
    this.#expected.add(told.promise)
    return (push) => {
      if (push !== null) this.add(push)
      this.#expected.delete(told.promise)
      told.resolve()
    }
  }

  add(push: FreshPush): void {
    this.#pushes.set(push.serial, push)
    this.#bytes += bytesOf(push)
    for (const serial of this.#pushes.keys()) {
      if (this.#pushes.size <= PUSHES_MAX && this.#bytes <= BYTES_MAX) return
      this.#remove(serial)
    }
  }

  /** Resolves when all that were expected by now have been told. */
  async settle(): Promise<void> {
    await Promise.all(this.#expected)
  }

  /** The pushes that follow on a serial without a gap, up to another. */
  listAfter(after: number, upTo: number): readonly FreshPush[] {
    const run: FreshPush[] = []
    for (let serial = after + 1; serial <= upTo; serial += 1) {
      const push = this.#pushes.get(serial)
      if (push === undefined) break
      run.push(push)
    }
    return run
  }

  /** The first that is here of those after a serial, or null. */
  findNext(after: number): number | null {
    const later = [...this.#pushes.keys()].filter((serial) => serial > after)
    return later.length === 0 ? null : Math.min(...later)
  }

  /** Drops what the set holds by now. */
  forgetUpTo(serial: number): void {
    for (const held of this.#pushes.keys()) if (held <= serial) this.#remove(held)
  }

  /** Drops everything: the history it was of is no longer that of the database. */
  clear(): void {
    this.#pushes.clear()
    this.#bytes = 0
  }

  #remove(serial: number): void {
    const push = this.#pushes.get(serial)
    if (push === undefined) return
    this.#pushes.delete(serial)
    this.#bytes -= bytesOf(push)
  }
}

function bytesOf({ log }: FreshPush): number {
  return log.ipv4.byteLength + log.others.byteLength + log.texts.length
}
