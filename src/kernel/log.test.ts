// What data can do to the lines of the log: nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'

// C0, DEL, C1 with the introducer of escape sequences, line separators, marks of direction.
const STEERING = '\u0000\u0007\b\n\r\u001B[31m\u007F\u0085\u009B31m\u2028\u202E\u2066x'
// oxlint-disable-next-line eslint/no-control-regex -- they are what is looked for
const RAW = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/

for (const isForPeople of [true, false]) {
  test(`control characters and marks of direction in data are escaped in a line ${isForPeople ? 'for people' : 'of JSON'}`, () => {
    const lines: string[] = []
    const destination = { write: (line: string) => lines.push(line) }
    const log = createLog({ level: 'debug', isForPeople, destination })
    log.warn(`a message with ${STEERING}`, { path: STEERING, [STEERING]: 1 })
    log.child({ of: STEERING }).error('another "message"')
    assert.equal(lines.length, 2)
    for (const line of lines) {
      assert.ok(line.endsWith('\n'))
      assert.doesNotMatch(line.slice(0, -1), RAW)
    }
    if (isForPeople) assert.match(lines[1] ?? '', /another "message"/)
    else assert.equal(JSON.parse(lines[0] ?? '').path, STEERING)
  })
}
