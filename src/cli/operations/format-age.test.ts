import assert from 'node:assert/strict'
import { it } from 'node:test'
import { formatAge } from './format-age.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

it('says times as people do, and those of long ago as dates', () => {
  for (const [at, said] of [
    ['2026-11-20T11:59:55Z', 'now'],
    ['2026-11-20T11:59:20Z', '40 s ago'],
    ['2026-11-20T11:01:00Z', '59 min ago'],
    ['2026-11-19T12:00:00Z', '24 h ago'],
    ['2026-11-17T12:00:00Z', '3 days ago'],
    ['2026-11-20T15:30:00Z', 'in 3 h'],
    ['2026-01-02T00:00:00Z', '2026-01-02'],
  ] as const) {
    assert.equal(formatAge(Date.parse(at), NOW), said)
  }
})
