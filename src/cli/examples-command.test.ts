import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { findPackageRoot } from '../values/resources.ts'
import { moveDates, runExamples } from './examples-command.ts'

const NOW_MS = Date.UTC(2027, 0, 9, 8, 30, 15, 250)
const OLD_PATTERN = /2026-0[23]-|\b0?1 Mar 2026|\bMar {2}1\b|\b01.Mar.2026/

describe('casework examples', () => {
  it('copies every sample with all its dates moved to the present', (t) => {
    const folder = join(makeFolder(t), 'samples')
    runExamples(folder, NOW_MS)
    const shipped = globSync('*/*', { cwd: join(findPackageRoot(), 'examples') }).toSorted()
    assert.ok(shipped.length > 30)
    assert.deepEqual(globSync('*/*', { cwd: folder }).toSorted(), shipped)
    for (const file of shipped) {
      assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), OLD_PATTERN, file)
    }
    const log = readFileSync(join(folder, 'cowrie/cowrie.json'), 'utf8')
    assert.match(log, /"timestamp":"2027-01-09T03:45:16\.123456Z"/)
  })

  it('writes a folder of its own anew, and refuses any other that holds files', (t) => {
    const folder = makeFolder(t)
    runExamples(folder, NOW_MS)
    runExamples(folder, NOW_MS)
    const other = makeFolder(t)
    writeFileSync(join(other, 'mine.txt'), '')
    assert.throws(() => runExamples(other, NOW_MS), /holds other files; name a new one/)
  })

  it('moves dates of ISO 8601, of mail, of web servers, of syslog and of an mbox', () => {
    const week = 7 * 86_400_000
    for (const [before, after] of [
      ['at 2026-03-01T11:00:00.5Z.', 'at 2026-03-08T11:00:00.5Z.'],
      ['2026-03-01T09:12:09+00:00 mail', '2026-03-08T09:12:09+00:00 mail'],
      ['Date: Sun, 01 Mar 2026 10:15:00 +0000', 'Date: Sun, 08 Mar 2026 10:15:00 +0000'],
      ['[01/Mar/2026:10:02:11 +0000]', '[08/Mar/2026:10:02:11 +0000]'],
      ['Mar  1 10:58:01 login2', 'Mar  8 10:58:01 login2'],
      ['From a@b.example Sun Mar  1 10:15:00 2026', 'From a@b.example Sun Mar  8 10:15:00 2026'],
      ['V-1,K-1001,Virtual server,2025-01-01,', 'V-1,K-1001,Virtual server,2025-01-01,'],
    ] as const) {
      assert.equal(moveDates(before, week), after)
    }
  })
})

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'casework-examples-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
