// The tests of all pages of the console, in one process with one server and one browser.

import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { runGroup } from '../group.ts'
// The kit comes first, so that what it opens is closed after the last file.
import { CONSOLE_TESTS, LOOKED_OVER } from './console-kit.ts'

runGroup(CONSOLE_TESTS)

// Beside the pictures. `test:console:failed` runs only what failed the last time, and goes on with
// what that run has seen.
const SEEN_FILE = 'coverage/console/looked-over.json'

test('each route of the console, and each section of its administration, was looked over', (t) => {
  const isAgain = t.attempt > 0
  const seen = new Set([...LOOKED_OVER, ...(isAgain ? readSeen() : [])])
  mkdirSync(dirname(SEEN_FILE), { recursive: true })
  writeFileSync(SEEN_FILE, JSON.stringify([...seen]))
  const routes = globSync('console/src/**/route.ts').flatMap((file) =>
    findAll(file, /path: '(.+)'/g),
  )
  const sections = findAll('console/src/pages/admin/sections.ts', /\{\s+id: '([a-z-]+)'/g)
  assert.ok(routes.length > 20 && sections.length > 5)
  const paths = [...routes, ...sections.map((id) => `/admin/${id}`)]
  const missing = paths.filter((path) => {
    const pattern = new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+').replace(/^\$$/, '.*')}$`)
    return ![...seen].some((one) => pattern.test(one))
  })
  // It leads to the first of its sections.
  assert.deepEqual(missing, ['/admin'])
})

function readSeen(): readonly string[] {
  return JSON.parse(readFileSync(SEEN_FILE, 'utf8'))
}

function findAll(file: string, pattern: RegExp): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, found = '']) => found)
}
