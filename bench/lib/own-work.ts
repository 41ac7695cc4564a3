// Starts servers with own-work-probe.ts, and reads what it noted.

import { readFileSync } from 'node:fs'

/** The environment of a server that notes its work in this file. `imports`: further modules. */
export function probeOwnWork(
  file: string,
  imports: readonly URL[] = [],
): Readonly<Record<string, string>> {
  const all = [new URL('./own-work-probe.ts', import.meta.url), ...imports]
  return {
    BENCH_OWN_WORK_FILE: file,
    NODE_OPTIONS: all.map(({ href }) => `--import ${href}`).join(' '),
  }
}

/**
 * The longest stretch of work in milliseconds between two moments, those of `Date.now()`. Throws
 * when nothing was noted between them.
 */
export function readLongestWork(file: string, fromMs: number, untilMs: number): number {
  const stretches = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .filter(([atMs = 0]) => atMs > fromMs && atMs <= untilMs)
    .map(([, stretchMs = 0]) => stretchMs)
  if (stretches.length === 0) throw new Error(`the server noted no work in ${file}`)
  return Math.max(...stretches)
}
