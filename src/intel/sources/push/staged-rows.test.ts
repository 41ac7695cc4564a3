import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RowStager, type SightingRow, type StatementRow } from './staged-rows.ts'

const STATEMENT: StatementRow = {
  subject: '192.0.2.1',
  name: 'spam',
  source: 'desk',
  isActive: true,
  reason: null,
  firstSeenMs: 1_000,
  lastSeenMs: 2_000,
  hasLastSeen: true,
  expiresMs: null,
}
const SIGHTING: SightingRow = {
  subject: '192.0.2.1',
  kind: 'honeypot',
  service: 'ssh',
  type: 'login-attack',
  source: 'trap',
  firstSeenMs: 1_000,
  lastSeenMs: 2_000,
  count: 1,
}
// The seed of the keys is drawn for each push; a mistake that needs some of its bits shows in a few
// of so many.
const SEEDS = 64

function textOf(stager: RowStager): string {
  return Buffer.concat(stager.build().pieces).toString('utf8')
}

describe('staged rows', () => {
  it('name their sources by place, escape what COPY reads as its own, and mark what is absent', () => {
    const stager = new RowStager()
    stager.addStatement('tag-list', STATEMENT)
    stager.addStatement('tag-list', { ...STATEMENT, source: 'other', name: 'a\tb\\c\nd\re' })
    stager.addStatement('tag-list', { ...STATEMENT, reason: '\\N', isActive: false, expiresMs: 9 })
    assert.equal(
      textOf(stager),
      '192.0.2.1\t1\tspam\tt\t\\N\t1000\t2000\tt\t\\N\t1\n' +
        '192.0.2.1\t2\ta\\tb\\\\c\\nd\\re\tt\t\\N\t1000\t2000\tt\t\\N\t2\n' +
        '192.0.2.1\t1\tspam\tf\t\\\\N\t1000\t2000\tt\t9\t3\n',
    )
    assert.deepEqual(stager.build().sources, [
      { kind: 'tag-list', name: 'desk' },
      { kind: 'tag-list', name: 'other' },
    ])
  })

  it('tell when two of them have one key, whatever else they say and however far apart', () => {
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const statements = new RowStager()
      const sightings = new RowStager()
      for (let at = 0; at < 600; at += 1) {
        statements.addStatement('tag-list', { ...STATEMENT, subject: `host-${at}.example` })
        sightings.addSighting({ ...SIGHTING, subject: `host-${at}.example` })
      }
      assert.equal(statements.build().mayRepeat, false)
      assert.equal(sightings.build().mayRepeat, false)
      statements.addStatement('tag-list', {
        ...STATEMENT,
        subject: 'host-3.example',
        reason: 'another',
        lastSeenMs: 9,
      })
      sightings.addSighting({ ...SIGHTING, subject: 'host-3.example', count: 7 })
      assert.equal(statements.build().mayRepeat, true)
      assert.equal(sightings.build().mayRepeat, true)
    }
  })

  it('have another key where any part of it differs', () => {
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const statements = new RowStager()
      statements.addStatement('tag-list', STATEMENT)
      statements.addStatement('tag-list', { ...STATEMENT, source: 'other' })
      statements.addStatement('tag-list', { ...STATEMENT, name: 'scan' })
      statements.addStatement('tag-list', { ...STATEMENT, subject: '192.0.2.1s', name: 'pam' })
      const sightings = new RowStager()
      sightings.addSighting(SIGHTING)
      sightings.addSighting({ ...SIGHTING, kind: 'spamtrap' })
      sightings.addSighting({ ...SIGHTING, service: 'sshl', type: 'ogin-attack' })
      sightings.addSighting({ ...SIGHTING, firstSeenMs: 1_001 })
      sightings.addSighting({ ...SIGHTING, lastSeenMs: 2_000 + 2 ** 32 })
      assert.equal(statements.build().mayRepeat, false)
      assert.equal(sightings.build().mayRepeat, false)
    }
  })

  it('tell which of them gave a time', () => {
    const stager = new RowStager()
    stager.addStatement('tag-list', { ...STATEMENT, hasLastSeen: false })
    assert.deepEqual([stager.build().hasGivenTimes, stager.build().hasAssumedTimes], [false, true])
    stager.addStatement('tag-list', { ...STATEMENT, name: 'scan' })
    assert.deepEqual([stager.build().hasGivenTimes, stager.build().hasAssumedTimes], [true, true])
  })

  it('are cut into pieces without losing a character', () => {
    const stager = new RowStager()
    const names = Array.from({ length: 5_000 }, (_, at) => `ünïcode ${at}`)
    for (const name of names) stager.addStatement('tag-list', { ...STATEMENT, name })
    assert.ok(stager.build().pieces.length > 1)
    const lines = textOf(stager).trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => line.split('\t')[2]),
      names,
    )
  })
})
