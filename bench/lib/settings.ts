// The settings of the benches: environment variables that change how much is measured, such as
// `BENCH_ENTRIES=10000 npm run bench -- intel`. Each is read where it is used.

// The settings that were read, with their defaults.
const known = new Map<string, Set<string>>()

/**
 * The whole number of the variable, or `fallback` when it is not set. Throws for anything but a
 * whole number of 1 or more.
 */
export function readCount(name: string, fallback: number): number {
  const text = readText(name, String(fallback))
  return text === null ? fallback : parseCount(name, text)
}

/** The same for several numbers, separated by commas. */
export function readCounts(name: string, fallback: readonly number[]): readonly number[] {
  const text = readText(name, fallback.join())
  return text === null ? fallback : text.split(',').map((part) => parseCount(name, part))
}

/**
 * Whether something is to be measured by its name: the variable has parts of names, separated by
 * commas. Everything is when it is not set.
 */
export function readFilter(name: string): (text: string) => boolean {
  const parts = readText(name, 'all')?.split(',')
  return (text) => parts === undefined || parts.some((part) => text.includes(part))
}

/** Whether the variable is `1`. */
export function readSwitch(name: string): boolean {
  return readText(name, 'off') === '1'
}

/** Variables that look like a setting of a bench, but of none of those that are loaded. */
export function listUnknownSettings(): readonly string[] {
  return Object.keys(process.env).filter((name) => name.startsWith('BENCH_') && !known.has(name))
}

/** `NAME (default; default)`: benches that share a name may differ in its default. */
export function describeSettings(): string {
  return [...known].map(([name, set]) => `${name} (${[...set].join('; ')})`).join(', ')
}

/** Null when the variable is not set. */
function readText(name: string, fallback: string): string | null {
  const fallbacks = known.get(name) ?? new Set()
  known.set(name, fallbacks.add(fallback))
  return process.env[name] ?? null
}

function parseCount(name: string, text: string): number {
  const count = /^[\d_]+$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new Error(`${name} is "${text}", but takes whole numbers of 1 or more`)
}
