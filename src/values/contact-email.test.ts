import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseEmailAddress } from './contact-email.ts'

it('takes a plain address and writes its domain in canonical form', () => {
  assert.equal(parseEmailAddress('abuse@example.com'), 'abuse@example.com')
  assert.equal(
    parseEmailAddress('Net.Abuse+tag@Mail.EXAMPLE.com'),
    'Net.Abuse+tag@mail.example.com',
  )
})

it('refuses what is no plain address', () => {
  const wrong = [
    '',
    'abuse',
    '@example.com',
    'abuse@',
    'abuse@localhost',
    'a b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a@b@example.com',
    '"a b"@example.com',
    'Abuse <abuse@example.com>',
    'abuse@example.com\r\nBcc: x@example.com',
    'abuse@192.0.2.1',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(10)}.com`,
  ]
  for (const text of wrong) assert.equal(parseEmailAddress(text), null, text)
})
