// Proves when an Accept header names a media type.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { namesMediaType } from './accept.ts'

const PROBLEM = 'application/problem+json'

const NAMING = [
  'application/problem+json',
  'APPLICATION/Problem+JSON',
  'text/html, application/problem+json;q=0.1',
  'application/problem+json ; q=1.000 , */*',
  'application/problem+json;charset=utf-8',
  'application/json;x="a,b", application/problem+json',
]
const NOT_NAMING = [
  undefined,
  '',
  '*/*',
  'application/*',
  'application/json',
  'application/problem+json;q=0',
  'application/problem+json; Q=0.000',
  'application/problem+json;q=',
  'application/problem+json;q=abc',
  'application/problem+json;q=-1',
  'application/problem+jsonx',
  'xapplication/problem+json',
  'application/json;x="application/problem+json"',
  'application/json;x=", application/problem+json',
]

for (const accept of NAMING) {
  test(`"${accept}" names problem+json`, () => assert.equal(namesMediaType(accept, PROBLEM), true))
}
for (const accept of NOT_NAMING) {
  test(`${accept === undefined ? 'no header' : `"${accept}"`} does not name problem+json`, () =>
    assert.equal(namesMediaType(accept, PROBLEM), false))
}

test('any text can be read', () => {
  fc.assert(
    fc.property(fc.string(), (accept) => typeof namesMediaType(accept, PROBLEM) === 'boolean'),
  )
})
