import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { emailWithoutTag, isEmailAddress, isLooseEmailAddress, parseEmailAddress } from './email.ts'

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

test('a contact is a plain address, with its domain in canonical form', () => {
  assert.equal(parseEmailAddress('abuse@example.com'), 'abuse@example.com')
  assert.equal(
    parseEmailAddress('Net.Abuse+tag@Mail.EXAMPLE.com'),
    'Net.Abuse+tag@mail.example.com',
  )
})

test('a contact that is no plain address of the Internet is refused', () => {
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

test('the contact of a token may have a local part in Unicode, and dots in any place', () => {
  for (const text of ['é@example.com', 'a..b@example.com', '.a@example.com', 'x@y']) {
    assert.ok(isLooseEmailAddress(text), text)
  }
  for (const text of [
    'nobody',
    'a b@example.com',
    'a@b@example.com',
    '"a"@example.com',
    'a@-example.com',
    'a@ü.example',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(130)}com`,
  ]) {
    assert.equal(isLooseEmailAddress(text), false, text)
  }
})

test('the tag behind a plus sign is no part of the mailbox', () => {
  for (const [address, mailbox] of [
    ['Ann+Shop@Reporter.example', 'ann@reporter.example'],
    ['ann+a+b@reporter.example', 'ann@reporter.example'],
    ['ann@reporter.example', 'ann@reporter.example'],
    ['+ann@reporter.example', '+ann@reporter.example'],
    ['nobody', 'nobody'],
    ['a+b', 'a+b'],
  ] as const) {
    assert.equal(emailWithoutTag(address), mailbox)
  }
})

test('each language holds the stricter one', () => {
  const scraps = fc
    .array(fc.constantFrom('a', 'B', '.', '-', '@', 'é', ' ', '"', 'ü.de', 'x.com', 'c'.repeat(60)))
    .map((pieces) => pieces.join(''))
  let seen = 0
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), scraps), (text) => {
      if (!isEmailAddress(text)) return
      seen += 1
      assert.ok(isLooseEmailAddress(text), text)
      const contact = parseEmailAddress(text)
      if (contact !== null) assert.equal(parseEmailAddress(contact), contact)
    }),
    { numRuns: 1_000 },
  )
  assert.ok(seen > 100, `only ${seen} addresses were seen`)
})
