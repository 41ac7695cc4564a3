// A seeded random source, so that every run of the benchmark asks and stores the same things.

export interface Random {
  /** A whole number from 0 to `below` − 1. */
  readonly integer: (below: number) => number
  readonly pick: <Value>(values: readonly Value[]) => Value
}

/** Mulberry32: 32 bits of state, good enough to spread keys, and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number): number => Math.floor(next() * below)
  return {
    integer,
    pick(values) {
      const value = values[integer(values.length)]
      if (value === undefined) throw new Error('nothing to pick from')
      return value
    },
  }
}
