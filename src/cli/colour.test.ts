import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPaint, paintIntent } from './colour.ts'

test('a terminal gets colours, and nothing else does', () => {
  assert.equal(
    paintIntent('malicious', createPaint({ isTTY: true }, {})),
    '\x1b[31mmalicious\x1b[0m',
  )
  assert.equal(paintIntent('unknown', createPaint({ isTTY: true }, {})), 'unknown')
  assert.equal(paintIntent('malicious', createPaint({}, {})), 'malicious')
  assert.equal(
    paintIntent('malicious', createPaint({ isTTY: true }, { TERM: 'dumb' })),
    'malicious',
  )
})

test('NO_COLOR is obeyed when it is not empty', () => {
  assert.equal(paintIntent('benign', createPaint({ isTTY: true }, { NO_COLOR: '1' })), 'benign')
  assert.equal(
    paintIntent('benign', createPaint({ isTTY: true }, { NO_COLOR: '' })),
    '\x1b[32mbenign\x1b[0m',
  )
})
