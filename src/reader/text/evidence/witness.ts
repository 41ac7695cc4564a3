// A piece of evidence for an event type: a phrase in one part of the report, or a trait of its
// structure.

export interface Witness {
  readonly eventType: string
  readonly what: string
  readonly weight: number
  readonly part: string
  readonly line: number | null
  readonly excerpt: string
  count: number
}

// The tenth time a word stands in one part says little more than the second: 1, 1.3, 1.5, 1.7 … up
// to 2.
export function valueOf({ weight, count }: Witness): number {
  return weight * Math.min(2, 1 + 0.45 * Math.log(count))
}
