import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryBudget } from './memory-budget.ts'

test('one address has a quarter over all its mails; the rest stays for others', () => {
  const budget = createMemoryBudget(400)
  const first = budget.open('192.0.2.1')
  const second = budget.open('192.0.2.1')
  assert.equal(first.take(60), true)
  assert.equal(second.take(41), false)
  assert.equal(second.take(40), true)
  assert.equal(budget.open('192.0.2.2').take(100), true)
  first.giveBack()
  assert.equal(second.take(60), true)
})

test('your own mail server may have all of it, and nobody more than there is', () => {
  const budget = createMemoryBudget(400)
  const own = budget.open(null)
  assert.equal(own.take(401), false)
  assert.equal(own.take(390), true)
  assert.equal(budget.open('192.0.2.1').take(11), false)
  own.giveBack()
  own.giveBack()
  assert.equal(budget.open('192.0.2.1').take(100), true)
})
