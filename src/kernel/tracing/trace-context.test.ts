import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTraceParent, parseTraceParent } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('a traceparent of version 00 is read and written back', () => {
  const text = `00-${TRACE}-${SPAN}-01`
  const parent = parseTraceParent(text)
  assert.deepEqual(parent, { traceId: TRACE, spanId: SPAN, isSampled: true })
  assert.ok(parent !== null)
  assert.equal(formatTraceParent(parent), text)
  assert.equal(parseTraceParent(`00-${TRACE}-${SPAN}-00`)?.isSampled, false)
  assert.equal(parseTraceParent(`00-${TRACE}-${SPAN}-03`)?.isSampled, true)
})

test('a later version may say more; anything else begins a trace anew', () => {
  assert.equal(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-comes`)?.traceId, TRACE)
  for (const wrong of [
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-01-${'x'.repeat(600)}`,
    [`00-${TRACE}-${SPAN}-01`],
  ]) {
    assert.equal(parseTraceParent(wrong), null, String(wrong))
  }
})
