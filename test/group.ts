// Many test files in one process: what they share, the program, is then loaded and compiled once
// and not once a file (1.2 to 1.6 s of a core each, measured 2026-11-22). Each file is a suite of
// its own name, and its root hooks are that suite's.

import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { findPackageRoot } from '../src/values/resources.ts'

const root = findPackageRoot()

// Of one file. Only what hangs meets it: the slowest takes 50 s on a machine of two busy cores.
const TIMEOUT_MS = 600_000

/** Runs the test files of these glob patterns, pattern by pattern, one file after the other. */
export function runGroup(patterns: readonly string[]): void {
  const files = listTests(patterns)
  let endedCount = 0
  for (const file of files) {
    describe(file, { timeout: TIMEOUT_MS }, async () => {
      await import(join(root, file))
      after(() => {
        endedCount += 1
      })
    })
  }
  // A file that ended the process would otherwise take those after it along, unseen.
  process.once('exit', () => {
    if (endedCount < files.length) process.exitCode = 1
  })
}

/** Throws for a pattern that finds nothing. */
function listTests(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: root })
    if (found.length === 0) throw new Error(`no test is named ${pattern}`)
    return found.toSorted()
  })
}
