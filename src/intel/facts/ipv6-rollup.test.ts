import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseItem } from '../../values/item.ts'
import type { Sighting } from './facts.ts'
import { rollUpCounts, rollUpSightings } from './ipv6-rollup.ts'

function seen(lastSeenSeconds: number, change: Partial<Sighting> = {}): Sighting {
  return {
    kind: 'honeypot',
    service: 'ssh',
    type: 'login-attack',
    source: 'pot-1',
    firstSeenSeconds: lastSeenSeconds - 5,
    lastSeenSeconds,
    count: 1,
    ...change,
  }
}

function words(text: string) {
  const item = parseItem(text)
  return item?.kind === 'ipv6' ? item.words : assert.fail(text)
}

test('sightings of one origin become one, those of another stay apart', () => {
  const rollUp = rollUpSightings(words('2001:db8::1'), [
    [seen(100), seen(40, { type: 'probe' })],
    [seen(60, { count: 3 })],
    [],
  ])
  assert.equal(rollUp.prefix, '2001:db8::/64')
  assert.deepEqual(rollUp.sightings, [
    seen(100, { firstSeenSeconds: 55, count: 4 }),
    seen(40, { type: 'probe' }),
  ])
})

test('addresses count once each, by the latest of their sightings, and only when they have any', () => {
  const rollUp = rollUpSightings(words('2001:db8::1'), [
    [seen(10), seen(90, { source: 'pot-2' })],
    [],
    [seen(100)],
  ])
  assert.deepEqual(rollUp.lastSeenSeconds, [100, 90])
})

test('a roll-up counts until the second at which the last address that is needed leaves the look-back', () => {
  const rollUp = rollUpSightings(words('2001:db8::1'), [[seen(80)], [seen(100)], [seen(90)]])
  assert.equal(rollUpCounts(rollUp, 3, 80), true)
  assert.equal(rollUpCounts(rollUp, 3, 81), false)
  assert.equal(rollUpCounts(rollUp, 2, 81), true)
  assert.equal(rollUpCounts(rollUp, 4, 0), false)
})
