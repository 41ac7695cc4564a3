// Which pages the tests of the console have looked over (`lookOver` of the kit). The processes of a
// run note it in one file, and its end compares that with the pages there are.

import { appendFileSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findPackageRoot } from '../../src/values/resources.ts'

const root = findPackageRoot()
const NOTED = join(root, 'coverage', 'console', 'looked-over.txt')

/** Before a run. */
export function forgetLookedOver(): void {
  rmSync(NOTED, { force: true })
}

export function noteLookedOver(path: string): void {
  mkdirSync(dirname(NOTED), { recursive: true })
  appendFileSync(NOTED, `${path}\n`)
}

/**
 * The paths of routes, and of the sections of the administration, that no test has looked over
 * since `forgetLookedOver`. Throws when nothing was noted, or when no routes are found.
 */
export function findOverlooked(): readonly string[] {
  const seen = [...new Set(readFileSync(NOTED, 'utf8').trim().split('\n'))]
  const routes = globSync('console/src/**/route.ts', { cwd: root }).flatMap((file) =>
    findAll(file, /path: '(.+)'/g),
  )
  const sections = findAll('console/src/pages/admin/sections.ts', /\{\s+id: '([a-z-]+)'/g)
  if (routes.length < 20 || sections.length < 5) throw new Error('the routes are not found')
  return (
    [...routes, ...sections.map((id) => `/admin/${id}`)]
      // It leads to the first of its sections.
      .filter((path) => path !== '/admin')
      .filter((path) => {
        const pattern = new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+').replace(/^\$$/, '.*')}$`)
        return !seen.some((one) => pattern.test(one))
      })
  )
}

function findAll(file: string, pattern: RegExp): readonly string[] {
  return [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(
    ([, found = '']) => found,
  )
}
