// Proves that request ids are distinct, within a source and between two.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestIds } from './request-id.ts'

test('request ids are distinct and of the characters that are kept when a caller sends them', () => {
  const sources = [createRequestIds(), createRequestIds()]
  const ids = sources.flatMap((next) => Array.from({ length: 2_000 }, next))
  assert.equal(new Set(ids).size, 4_000)
  for (const id of ids) assert.match(id, /^[A-Za-z0-9._-]{8,128}$/)
})
