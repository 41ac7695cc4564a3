// Proves that an act that cannot be taken back is done after a yes and after nothing else.

import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { requireConsent } from './confirm.ts'

async function askWith(
  typed: string,
  { isTTY = true, flags = {} }: { isTTY?: boolean; flags?: object } = {},
) {
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const stderr = Object.assign(new PassThrough(), { isTTY })
  const shown = text(stderr)
  stdin.end(typed)
  const failure = await requireConsent('Remove it?', { ...flags }, { stdin, stderr }).then(
    () => null,
    (error: unknown) => error,
  )
  stderr.end()
  const exitCode =
    failure !== null && typeof failure === 'object' && 'exitCode' in failure
      ? failure.exitCode
      : failure
  return { exitCode, shown: await shown }
}

for (const typed of ['y\n', 'Y\n', ' yes \n']) {
  test(`${JSON.stringify(typed)} is a yes`, async () => {
    const { exitCode, shown } = await askWith(typed)
    assert.equal(exitCode, null)
    assert.match(shown, /Remove it\? \[y\/N\]/)
  })
}

for (const typed of ['\n', 'n\n', 'no\n', 'yesterday\n']) {
  test(`${JSON.stringify(typed)} is no yes: exit code 1`, async () => {
    assert.equal((await askWith(typed)).exitCode, 1)
  })
}

test('exit code 2 without a terminal, and nothing is asked', async () => {
  assert.deepEqual(await askWith('y\n', { isTTY: false }), { exitCode: 2, shown: '' })
})

test('--yes is the answer, with a terminal and without', async () => {
  for (const isTTY of [true, false]) {
    const told = await askWith('', { isTTY, flags: { yes: true } })
    assert.deepEqual(told, { exitCode: null, shown: '' })
  }
})
