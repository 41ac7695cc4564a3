import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineErrors, retryAfter } from './define-errors.ts'
import { OperatingError } from './operating-error.ts'

const { nothingThere, tooMany, notValid, notReached } = defineErrors({
  nothingThere: [404, 'TEST_NOTHING_THERE', 'There is nothing.'],
  tooMany: [409, 'TEST_TOO_MANY', (max: number) => `There are ${max} already.`],
  notValid: [
    400,
    'TEST_NOT_VALID',
    (path: string) => ({ text: 'It is not valid.', fields: [{ path, reason: 'is missing' }] }),
  ],
  notReached: [
    503,
    'TEST_NOT_REACHED',
    (cause: unknown) => ({ text: 'Try again.', cause }),
    retryAfter(5),
  ],
})

test('a row makes an operating error with its status, code and sentence', () => {
  const error = nothingThere()
  assert.ok(error instanceof OperatingError)
  assert.deepEqual(
    [error.status, error.code, error.publicMessage],
    [404, 'TEST_NOTHING_THERE', 'There is nothing.'],
  )
  assert.deepEqual([error.fields, error.headers, error.cause], [[], {}, undefined])
})

test('what the caller hands over goes into sentence, fields and cause, beside the headers of the row', () => {
  assert.equal(tooMany(3).publicMessage, 'There are 3 already.')
  assert.deepEqual(notValid('/name').fields, [{ path: '/name', reason: 'is missing' }])
  const cause = new Error('private')
  assert.deepEqual(
    [notReached(cause).cause, notReached(cause).headers],
    [cause, { 'retry-after': '5' }],
  )
})
