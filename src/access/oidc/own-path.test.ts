// Where a sign-in may lead: to a page of this site and nowhere else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readOwnPath } from './own-path.ts'

test('a path of this site is taken, with its query and fragment', () => {
  const paths = ['/', '/cases', '/cases?state=open&q=a%20b', '/account?tab=security#x', '/a//b']
  for (const path of paths) assert.equal(readOwnPath(path), path)
  assert.equal(readOwnPath('/a/../cases'), '/cases')
  assert.equal(readOwnPath('/fälle'), '/f%C3%A4lle')
})

test('what may lead to another site is not', () => {
  for (const text of [
    undefined,
    '',
    'cases',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\u0000//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/a\\..\\..\\evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/cases\r\nset-cookie: a=b',
    `/${'x'.repeat(2_048)}`,
  ]) {
    assert.equal(readOwnPath(text), null, JSON.stringify(text))
  }
})

test('whatever is taken stays at the site that the browser is at', () => {
  const pieces = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    ':',
    '@',
    '?',
    '#',
    '\t',
    'evil.example',
    'a',
  )
  const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => `/${parts.join('')}`)
  fc.assert(
    fc.property(texts, (text) => {
      const path = readOwnPath(text)
      const site = 'https://casework.example'
      // As the header is written, and as a page would follow it.
      return (
        path === null ||
        (new URL(site + path).origin === site && new URL(path, site).origin === site)
      )
    }),
    { numRuns: 2_000 },
  )
})
