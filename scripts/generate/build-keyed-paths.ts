// src/client/keyed-paths.ts: the paths whose POST takes an Idempotency-Key.

import type { Route } from '../../src/kernel/http/route.ts'

export function buildKeyedPaths(routes: readonly Route[]): string {
  const paths = routes
    .filter(({ method, idempotency }) => method === 'POST' && idempotency !== undefined)
    .map(({ path }) => path)
    .toSorted()
  return `// The requests that may be sent again because of their Idempotency-Key. Generated: npm run write.

import type { Paths } from './schema.ts'

type PostPath = {
  [P in keyof Paths]: Paths[P] extends { post: unknown } ? P : never
}[keyof Paths]

/** The paths whose POST takes an Idempotency-Key. */
export const KEYED_PATHS: ReadonlySet<string> = new Set<PostPath>([
${paths.map((path) => `  '${path}',\n`).join('')}])
`
}
