import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQuota } from './quota.ts'

test('one key has its part over all its shares; the rest stays for others', () => {
  const quota = createQuota({ max: 400, keyMax: 100 })
  const first = quota.open('192.0.2.1')
  const second = quota.open('192.0.2.1')
  assert.equal(first.take(60), true)
  assert.equal(second.take(41), false)
  assert.equal(second.take(40), true)
  assert.equal(quota.open('192.0.2.2').take(100), true)
  first.giveBack()
  assert.equal(second.take(60), true)
})

test('a share without a key may have all of it, and no share more than there is', () => {
  const quota = createQuota({ max: 400, keyMax: 100 })
  const own = quota.open(null)
  assert.equal(own.take(401), false)
  assert.equal(own.take(390), true)
  assert.equal(quota.open('192.0.2.1').take(11), false)
  own.giveBack()
  own.giveBack()
  assert.equal(quota.open('192.0.2.1').take(100), true)
})
