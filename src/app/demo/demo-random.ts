// Chance with a seed: every filled demo tells the same story.

export interface DemoRandom {
  /** From 0 up to 1, without 1. */
  readonly next: () => number
  /** A whole number of both bounds or between them. */
  readonly between: (least: number, most: number) => number
  readonly pick: <One>(of: readonly One[]) => One
  readonly chance: (probability: number) => boolean
}

/** Mulberry32: 32 bits of state are enough for a few thousand draws. */
export function createDemoRandom(seed: number): DemoRandom {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick<One>(of: readonly One[]): One {
      const one = of[between(0, of.length - 1)]
      if (one === undefined) throw new Error('nothing to pick from')
      return one
    },
  }
}
