import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeAll } from './open-foundation.ts'

test('parts are closed once, in reverse order, also behind one that fails', async () => {
  const closed: string[] = []
  const close = (name: string, failure?: Error) => async () => {
    closed.push(name)
    if (failure !== undefined) throw failure
  }
  const broken = new Error('broken')
  const closers = [close('database'), close('intel', broken), close('casework')]
  await assert.rejects(closeAll(closers), broken)
  assert.deepEqual(closed, ['casework', 'intel', 'database'])
  await closeAll(closers)
  assert.equal(closed.length, 3)
  const both = [close('intel', broken), close('casework', new Error('late'))]
  await assert.rejects(closeAll(both), /late; Error: broken/)
})
