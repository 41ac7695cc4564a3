import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmailAddress } from './email.ts'

test('plain addresses are taken', () => {
  for (const text of [
    'abuse@example.com',
    'a.b+c@mail.example',
    "o'neil@example.org",
    'x@y',
    `${'a'.repeat(64)}@example.com`,
  ]) {
    assert.ok(isEmailAddress(text), text)
  }
})

test('what is no plain address is refused', () => {
  for (const text of [
    '',
    '@',
    'abuse',
    '@example.com',
    'abuse@',
    'a b@example.com',
    'a@b@',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a@-example.com',
    'a@example..com',
    'a@example.com.',
    'a@[192.0.2.1]',
    '"a"@example.com',
    'Abuse <abuse@example.com>',
    'abuse@example.com\n',
    'ab\u0000use@example.com',
    'é@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}`,
  ]) {
    assert.equal(isEmailAddress(text), false, text)
  }
})

test('a hostile text of 100,000 characters is refused at once', () => {
  assert.equal(isEmailAddress(`${'a.'.repeat(50_000)}@`), false)
})
