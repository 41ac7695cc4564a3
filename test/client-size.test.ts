// Proves what `casework/client` adds to a program that is bundled for a browser.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { findPackageRoot } from '../src/values/resources.ts'

const CLIENT = join(findPackageRoot(), 'src', 'client', 'client.ts')

async function bundle(program: string): Promise<string> {
  const entry = 'virtual:program'
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? program : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  assert.equal(output.length, 1)
  return output[0].code
}

// 4.9 kB when this was written (2026-11-23), with openapi-fetch, and without the types; 6.0 kB with
// `watch` (2026-11-26).
const KILOBYTES_MAX = 6.5

test(`createCasework alone is at most ${KILOBYTES_MAX} kB, compressed`, async () => {
  const code = await bundle(`export { createCasework } from ${JSON.stringify(CLIENT)}`)
  assert.match(code, /idempotency-key/)
  const kilobytes = gzipSync(code).length / 1_000
  assert(kilobytes <= KILOBYTES_MAX, `${kilobytes} kB`)
  assert(kilobytes > 2, `only ${kilobytes} kB: the client is not in it`)
})

test('an import that is not used adds nothing', async () => {
  const program = 'export const answer = 42'
  const unused = `import { createCasework, CaseworkError } from ${JSON.stringify(CLIENT)}\n${program}`
  assert.equal(await bundle(unused), await bundle(program))
})

test('the error alone comes without the calls', async () => {
  const code = await bundle(`export { CaseworkError } from ${JSON.stringify(CLIENT)}`)
  assert.match(code, /CaseworkError/)
  assert.doesNotMatch(code, /idempotency-key/)
})
