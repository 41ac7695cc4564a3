// The guide for operators names every reason for which a node can be refused.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPackageRoot } from '../../../values/resources.ts'

const WORD = /kind: '(?:refused|retry)',\s+reason: '([a-z_]+)'|refuseCalendar\('([a-z_]+)'/g

test('every reason of a node is in the guide of runs that need attention', () => {
  const sources = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  const words = new Set(
    sources.flatMap((text) => [...text.matchAll(WORD)].map(([, one, other]) => one ?? other ?? '')),
  )
  assert.ok(words.size > 15)
  const path = join(findPackageRoot(), 'docs/guides/runs-that-need-attention.md')
  const guide = readFileSync(path, 'utf8')
  assert.deepEqual(
    [...words].filter((word) => !guide.includes(`\`${word}\``)),
    [],
  )
})
