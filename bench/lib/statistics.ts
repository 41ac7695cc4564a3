// What is quoted of many measured values.

/** The middle value; of an even number the mean of the two in the middle. NaN of none. */
export function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  if (sorted.length % 2 === 1) return upper
  const lower = sorted[sorted.length / 2 - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** The value below which `share` (0 to 1) of the sorted values lie. NaN of none. */
export function readPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** In rising order, as `readPercentile` takes them. */
export function sortNumbers(values: readonly number[]): readonly number[] {
  return values.toSorted((one, other) => one - other)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
