// A reporter of the test runner, beside "spec". A process of tests can fail although all its tests
// passed; "spec" then says "test failed", and the cause is thousands of lines above. This reporter
// prints the cause at the end, and writes the names of the failed files for test/run.ts.

import { writeFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'

// What is kept of the errors of a process: enough for a stack trace.
const LINES_MAX = 40

interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: string | null
}

// The runner takes the default export.
// oxlint-disable-next-line import/no-default-export
export default async function* reportFailures(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const lines = new Map<string, readonly string[]>()
  const failed = new Set<string>()
  const ends = new Map<string, ProcessEnd>()
  const keep = (file = '', text = ''): void => {
    const all = [...(lines.get(file) ?? []), ...text.trimEnd().split('\n')]
    lines.set(file, all.slice(-LINES_MAX))
  }
  for await (const { type, data } of events) {
    if (type === 'test:stderr') keep(data.file, data.message)
    // "generated asynchronous activity after the test ended": a promise that no test waited for.
    // Counts, such as "pass 12", come as diagnostics too.
    if (type === 'test:diagnostic' && /^(?:Error|Warning):/u.test(data.message)) {
      keep(data.file, data.message)
    }
    if (type !== 'test:fail') continue
    const file = findFile(data)
    const end = readProcessEnd(data.details.error)
    if (end !== null) ends.set(file, end)
    else if (!isOfItsTests(data.details.error)) failed.add(file)
  }
  for (const [file, end] of ends) {
    const how = end.signal ?? `exit code ${String(end.exitCode)}`
    yield `\n✖ the process of ${file} ended with ${how}; the last lines of its errors:\n`
    yield `${(lines.get(file) ?? ['(none)']).join('\n')}\n`
  }
  const target = process.env['CASEWORK_TEST_FAILED']
  // A process also ends with an error when one of its tests failed: then those files are enough.
  const names = failed.size > 0 ? failed : ends.keys()
  if (target !== undefined) writeFileSync(target, JSON.stringify([...names]))
}

/** A file of a group is a suite of test/group.ts with its name. */
function findFile({ file, name }: { readonly file?: string; readonly name: string }): string {
  return file === undefined || file.endsWith('/test/group.ts') ? name : file
}

/** True for a suite that failed because a test in it did. */
function isOfItsTests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}

/** Null when a test itself failed: only the failure of a process has an exit code. */
function readProcessEnd(error: Error): ProcessEnd | null {
  if (!('exitCode' in error && 'signal' in error)) return null
  const exitCode = typeof error.exitCode === 'number' ? error.exitCode : null
  const signal = typeof error.signal === 'string' ? error.signal : null
  return { exitCode, signal }
}
