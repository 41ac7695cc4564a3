import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAskedPart } from './byte-range.ts'

const ETAG = '"7-abc"'
const whole = { kind: 'whole' } as const
const beyond = { kind: 'beyond' } as const
const part = (first: number, last: number) => ({ kind: 'part', first, last }) as const

for (const [range, expected] of [
  [undefined, whole],
  ['bytes=0-', part(0, 99)],
  ['bytes=40-', part(40, 99)],
  ['bytes=40-49', part(40, 49)],
  ['bytes=40-400', part(40, 99)],
  ['bytes=99-99', part(99, 99)],
  ['bytes=-10', part(90, 99)],
  ['bytes=-1000', part(0, 99)],
  ['bytes=100-', beyond],
  ['bytes=-0', beyond],
  ['bytes=50-40', whole],
  ['bytes=-', whole],
  ['bytes=0-1,5-6', whole],
  ['bytes=a-', whole],
  ['lines=1-2', whole],
  [' bytes=1-', whole],
  [`bytes=${'9'.repeat(16)}-`, whole],
] as const) {
  test(`the range ${range ?? 'of no header'} of 100 bytes`, () => {
    assert.deepEqual(readAskedPart({ range }, ETAG, 100), expected)
  })
}

test('a range holds only for the answer that If-Range names', () => {
  const ask = (tag: string) => readAskedPart({ range: 'bytes=40-', 'if-range': tag }, ETAG, 100)
  assert.deepEqual(ask(ETAG), part(40, 99))
  for (const other of ['"8-abc"', `W/${ETAG}`, 'Fri, 27 Nov 2026 08:00:00 GMT', '']) {
    assert.deepEqual(ask(other), whole, other)
  }
})
