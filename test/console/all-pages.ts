// The tests of all pages of the console, in one process with one server and one browser.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runGroup } from '../group.ts'
// The kit comes first, so that what it opens is closed after the last file.
import { CONSOLE_TESTS, LOOKED_OVER } from './console-kit.ts'

runGroup(CONSOLE_TESTS)

test('each route of the console, and each section of its administration, was looked over', () => {
  const routes = globSync('console/src/**/route.ts').flatMap((file) =>
    findAll(file, /path: '(.+)'/g),
  )
  const sections = findAll('console/src/pages/admin/sections.ts', /\{\s+id: '([a-z-]+)'/g)
  assert.ok(routes.length > 20 && sections.length > 5)
  const paths = [...routes, ...sections.map((id) => `/admin/${id}`)]
  const missing = paths.filter((path) => {
    const pattern = new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+').replace(/^\$$/, '.*')}$`)
    return ![...LOOKED_OVER].some((seen) => pattern.test(seen))
  })
  // It leads to the first of its sections.
  assert.deepEqual(missing, ['/admin'])
})

function findAll(file: string, pattern: RegExp): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, found = '']) => found)
}
