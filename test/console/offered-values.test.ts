// Proves that the console offers the values that the server takes. It may import the client alone,
// so it has lists of its own.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CHECKS } from '../../console/src/pages/admin/check-messages.ts'
import { SCOPE_NAMES } from '../../console/src/pages/admin/scope-words.ts'
import { EVENT_TYPES as OFFERED } from '../../console/src/parts/event-types.ts'
import { EVENT_TYPES } from '../../src/vocabulary/event-types.ts'
import { SCOPES } from '../../src/vocabulary/scopes.ts'

test('the console offers every type of event, in the order of the alphabet', () => {
  assert.deepEqual(OFFERED, [...EVENT_TYPES].toSorted())
})

test('the console has words for every scope', () => {
  assert.deepEqual([...SCOPE_NAMES].toSorted(), [...SCOPES].toSorted())
})

test('the console has words for every check of the program', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/readiness\.add\(\{\s*name: '([^']+)'/g)].map(
      ([, name = '']) => name,
    ),
  )
  assert.ok(named.length > 15, `only ${named.length} checks were seen`)
  // The listeners of mail are named by their protocol.
  const known = Object.keys(CHECKS).filter((name) => name !== 'smtp' && name !== 'lmtp')
  assert.deepEqual(known.toSorted(), [...new Set(named)].toSorted())
})
