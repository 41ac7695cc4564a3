// Runs many test files in one process, so that the program is loaded and compiled once instead of
// once a file (1.2 to 1.6 s of a core each). Each file is a suite of its own name with its root
// hooks.

import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { enterAllTenants } from '../src/kernel/db/row-scope.ts'
import { findPackageRoot } from '../src/values/resources.ts'

const root = findPackageRoot()

// The timeout of one file. The slowest, console/src/look-overs.console.ts, takes 310 s where some
// fifteen others want the two cores, so only a hang reaches it.
const TIMEOUT_MS = 1_800_000

// An `error` that nobody listens for ends the process. Node knows which object emitted it, and the
// runner does not say so.
process.on('uncaughtExceptionMonitor', (error) => {
  const symbol = Object.getOwnPropertySymbols(error).find(
    ({ description }) => description === 'kEnhanceStackBeforeInspector',
  )
  const explain: unknown = symbol === undefined ? null : Reflect.get(error, symbol)
  if (typeof explain === 'function') process.stderr.write(`${String(explain.call(error))}\n`)
})

/** Runs the test files of these glob patterns, pattern by pattern, one file after the other. */
export function runGroup(patterns: readonly string[]): void {
  // As in test/harness.ts, whose own call reaches the first of the files only.
  enterAllTenants()
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
  // A run of what failed the last time passes over whole files (`npm run test:console -- --again`).
  if (process.env['CASEWORK_TESTS_AGAIN'] === 'yes') return
  // A file that ends the process would otherwise skip the later files silently.
  process.once('exit', () => {
    if (endedCount < files.length) process.exitCode = 1
  })
}

/** Throws when a pattern matches no file. */
function listTests(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: root })
    if (found.length === 0) throw new Error(`no test is named ${pattern}`)
    return found.toSorted()
  })
}
