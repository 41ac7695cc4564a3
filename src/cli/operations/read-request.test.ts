// Proves how values of the command line are read: as people paste and say them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOperation } from './operation.ts'
import { buildRequest } from './read-request.ts'

function build(id: string, given: { params?: string[]; text?: string; flags?: object }) {
  const { params = [], text, flags = {} } = given
  const spec = {
    name: 'x',
    operation: id,
    about: '',
    examples: ['x'] as const,
    ...(text === undefined ? {} : { text: 'item' }),
  }
  return buildRequest({
    operation: findOperation(id),
    spec,
    params,
    text: text ?? null,
    flags: { ...flags },
  })
}

for (const [given, sent] of [
  [{ ip: '198[.]51[.]100[.]7' }, 'ip=198.51.100.7'],
  [{ ip: '[2001:db8::1]:443' }, 'ip=2001%3Adb8%3A%3A1'],
  [{ domain: 'hxxps://login[.]shop[.]example/in' }, 'domain=login.shop.example'],
  [{ range: '198.51.100[.]0/24' }, 'range=198.51.100.0%2F24'],
  [{ range: '198.51.100.1-198.51.100.9' }, 'range=198.51.100.1-198.51.100.9'],
  [{ text: 'evil[.]example' }, 'text=evil%5B.%5Dexample'],
  [{ ip: 'nonsense' }, 'ip=nonsense'],
] as const) {
  test(`${JSON.stringify(given)} is sent as ${sent}`, () => {
    assert.equal(build('listCases', { flags: given }).path, `/beta/casework/cases?${sent}`)
  })
}

test('the item of a push and the range of a path are read as they were pasted', () => {
  const pushed = build('pushListings', { text: 'hxxp://evil[.]example/x', flags: { list: 'a' } })
  assert.deepEqual(pushed.json, [{ item: 'evil.example', list: 'a' }])
  const range = build('pushListings', { text: '198.51.100[.]0/24', flags: { list: 'a' } })
  assert.deepEqual(range.json, [{ item: '198.51.100.0/24', list: 'a' }])
  const { path } = build('getRange', { params: ['198[.]51[.]100[.]0/24'] })
  assert.equal(path, '/beta/ranges/198.51.100.0%2F24')
})

function readCreatedAfter(createdAfter: string): string {
  const { path } = build('listCases', { flags: { createdAfter } })
  return new URLSearchParams(path.split('?')[1]).get('created_after') ?? ''
}

test('a time is said as it is, as now, or as a distance from now', () => {
  assert.equal(readCreatedAfter('2026-11-26T10:00:00Z'), '2026-11-26T10:00:00Z')
  assert.equal(readCreatedAfter('24h'), '24h')
  const before = Date.now()
  const [now, day, later] = [
    readCreatedAfter('now'),
    readCreatedAfter('-24h'),
    readCreatedAfter('+2w'),
  ].map(Date.parse)
  const after = Date.now()
  const isBetween = (at: number | undefined, distance: number): boolean =>
    at !== undefined && at >= before + distance && at <= after + distance
  assert.ok(isBetween(now, 0))
  assert.ok(isBetween(day, -86_400_000))
  assert.ok(isBetween(later, 14 * 86_400_000))
})
