// Imports that are killed: every push is there as a whole or not at all, and what was acknowledged
// is there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../harness.ts'
import { atEnd } from '../postgres-harness.ts'
import { buildSocketUrl, makeOpenFolder, startServe, stopServer } from './program.ts'

const ROWS = 8_000
const TOKEN = 'example-token.'.repeat(4)

const addressOf = (part: number, row: number): string => `10.${part}.${row >> 8}.${row & 255}`

function push(url: string, part: number): Promise<boolean> {
  const lines = Array.from({ length: ROWS }, (_, row) =>
    JSON.stringify({ item: addressOf(part, row), list: 'spam', source: 'desk' }),
  )
  return fetch(`${url}/beta/listings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  }).then(
    async (answer) => answer.ok && (await answer.text()).includes('accepted'),
    () => false,
  )
}

/** How many of a part's rows are listed. */
async function countListed(url: string, part: number): Promise<number> {
  let listed = 0
  for (let first = 0; first < ROWS; first += 1_000) {
    const items = Array.from({ length: 1_000 }, (_, row) => addressOf(part, first + row))
    const answer = await fetch(`${url}/beta/quick-check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(items),
    })
    listed += (await answer.text()).split('"ACTIVE"').length - 1
  }
  return listed
}

test('after kill -9 during an import each push is there as a whole or not at all, and the acknowledged ones are', async (t) => {
  const database = await createTestDatabase()
  atEnd(t, database.drop)
  const environment = {
    DATABASE_URL: buildSocketUrl(database.connection),
    CASEWORK_BOOTSTRAP_TOKEN: TOKEN,
  }
  const dataDir = makeOpenFolder(t)
  let part = 0
  const acknowledged: number[] = []
  const killed = startServe(t, dataDir, ['--threads', '2'], { environment })
  const address = await killed.whenReady
  // The first two go through, so that there is a change log; then three at once are cut down
  // wherever they are when one is through.
  for (; part < 2; part += 1) {
    assert.ok(await push(address, part))
    acknowledged.push(part)
  }
  const cut = [2, 3, 4].map((each) => push(address, each))
  part = 5
  await Promise.race(cut)
  killed.child.kill('SIGKILL')
  await killed.whenExited
  for (const [at, isKept] of (await Promise.all(cut)).entries()) {
    if (isKept) acknowledged.push(2 + at)
  }
  const server = startServe(t, dataDir, [], { environment })
  const url = await server.whenReady
  for (let each = 0; each < part; each += 1) {
    const listed = await countListed(url, each)
    assert.ok(listed === 0 || listed === ROWS, `${listed} of ${ROWS} rows of push ${each}`)
    if (acknowledged.includes(each)) assert.equal(listed, ROWS)
  }
  await stopServer(server)
})
