import assert from 'node:assert/strict'
import { test } from 'node:test'
import { omitNulls } from './omit-nulls.ts'

interface Wire {
  id: string
  note?: string
  tags: string[]
}

test('members that are null are left out, the others keep their order', () => {
  const tags: readonly string[] = ['a']
  const full = omitNulls<Wire>({ id: '1', note: 'x', tags })
  assert.equal(JSON.stringify(full), '{"id":"1","note":"x","tags":["a"]}')
  assert.deepEqual(omitNulls<Wire>({ id: '1', note: null, tags }), { id: '1', tags: ['a'] })
})

test('a member that is missing or misnamed, and null for one that is required, do not compile', () => {
  // @ts-expect-error: note is missing.
  omitNulls<Wire>({ id: '1', tags: [] })
  // @ts-expect-error: there is no member notes.
  omitNulls<Wire>({ id: '1', note: null, notes: 'x', tags: [] })
  // @ts-expect-error: id is required.
  omitNulls<Wire>({ id: null, note: null, tags: [] })
  assert.deepEqual(omitNulls<Wire>({ id: '', note: null, tags: [] }), { id: '', tags: [] })
})
