// The pushes of this process that are not in its set yet, so that the set need not read them from
// the database. Only a saving: a push that is not here is read like the pushes of other processes.

import type { FactLog } from '../snapshot/fact-log.ts'

/** A push that is committed and of which every row was new. */
export interface FreshPush {
  readonly serial: number
  readonly mark: string
  readonly log: FactLog
}

/** Hears of pushes as they are committed. */
export interface PushListener {
  /**
   * A push is about to be committed. The returned function is called once with its facts, or with
   * null when they must be read from the database.
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
    const reported = Promise.withResolvers<void>()
    this.#expected.add(reported.promise)
    return (push) => {
      if (push !== null) this.add(push)
      this.#expected.delete(reported.promise)
      reported.resolve()
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

  /** Resolves when all that were expected by now have been reported. */
  async whenReported(): Promise<void> {
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

  /** The first serial after this one whose push is here, or null. */
  findNext(after: number): number | null {
    const later = [...this.#pushes.keys()].filter((serial) => serial > after)
    return later.length === 0 ? null : Math.min(...later)
  }

  /** Drops the pushes that the set holds. */
  forgetUpTo(serial: number): void {
    for (const held of this.#pushes.keys()) if (held <= serial) this.#remove(held)
  }

  /** Drops everything: the database has another history. */
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
