// `casework backup` and `casework restore` of a data folder, with the real program.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  assertNothingLeft,
  assertSentence,
  createUsedFolder,
  isTokenKnown,
  makeOpenFolder,
  runCommand,
  runCommands,
  startServe,
  stopServer,
} from './program.ts'

test('backup and restore', async (suite) => {
  const { dataDir, token } = await createUsedFolder(suite)
  const beside = join(dirname(dataDir), 'beside.backup')
  const alone = join(dirname(dataDir), 'alone.backup')

  const server = startServe(suite, dataDir)
  const url = await server.whenReady
  const headers = { authorization: `Bearer ${token}` }

  await suite.test('a backup is taken beside a running server', async (t) => {
    const backup = await runCommand(t, ['backup', beside, '--data-dir', dataDir])
    assert.deepEqual({ code: backup.code, stderr: backup.stderr }, { code: 0, stderr: '' })
    assert.match(
      backup.stdout,
      /^Backed up \d+ rows of \d+ tables to \S+beside\.backup \(\d+ kB\)\.\n$/,
    )
  })

  await suite.test('404 over the network for the address of the database', async () => {
    const refused = await fetch(`${url}/internal/database`, { headers })
    assert.equal(refused.status, 404)
    assert.doesNotMatch(await refused.text(), /socket/)
  })

  // An erasure between the two backups.
  await eraseOverNetwork(url, headers)
  await stopServer(server)

  await suite.test('a backup is taken without a server', async (t) => {
    const backup = await runCommand(t, ['backup', alone, '--data-dir', dataDir])
    assert.deepEqual({ code: backup.code, stderr: backup.stderr }, { code: 0, stderr: '' })
    assertNothingLeft(dataDir)
  })

  const former = readFileSync(alone)
  const torn = join(dirname(dataDir), 'torn.backup')
  writeFileSync(torn, readFileSync(beside).subarray(0, 400))
  const unmade = join(dirname(dataDir), 'unmade')
  const missing = join(dirname(dataDir), 'missing')
  const [again, over, tornOne, without] = await runCommands(suite, [
    { args: ['backup', alone, '--data-dir', dataDir] },
    { args: ['restore', beside, '--data-dir', dataDir, '--yes'] },
    { args: ['restore', torn, '--data-dir', unmade, '--yes'] },
    { args: ['backup', `${beside}.2`, '--data-dir', missing] },
  ])

  await suite.test('a backup does not overwrite', () => {
    assert.equal(again?.code, 1)
    assertSentence(again.stderr, /alone\.backup exists already; choose another name/)
    assert.deepEqual(readFileSync(alone), former)
  })

  await suite.test('a restore over existing data is refused', () => {
    assert.equal(over?.code, 1)
    assertSentence(over.stderr, /has been used before, and a restore overwrites nothing/)
    assertNothingLeft(dataDir)
  })

  await suite.test('a torn file is refused before anything is made', () => {
    assert.equal(tornOne?.code, 1)
    assertSentence(tornOne.stderr, /torn\.backup is not a whole backup .* nothing was changed/)
    assert.ok(!existsSync(unmade))
  })

  await suite.test('a folder without data is not backed up, and not made', () => {
    assert.equal(without?.code, 1)
    assertSentence(without.stderr, /There is no data of casework in \S+missing; /)
    assert.ok(!existsSync(missing))
  })

  await suite.test(
    'a restored folder opens to the same token, and no new one is made',
    async (t) => {
      const fresh = makeOpenFolder(t)
      const restored = await runCommand(t, ['restore', beside, '--data-dir', fresh, '--yes'])
      assert.equal(restored.code, 0, restored.stderr)
      assert.match(
        restored.stdout,
        /^Restored \d+ rows of \d+ tables, as they were at 20\S+Z; the schema is at version \d+\.\n$/,
      )
      assert.match(
        restored.stderr,
        /^No address was erased before the backup\. If one was erased since, /,
      )
      assertNothingLeft(fresh)
      const reopened = startServe(t, fresh)
      assert.ok(await isTokenKnown(await reopened.whenReady, token))
      assert.doesNotMatch(reopened.stdout(), /cw_admin_/)
      const refused = await runCommand(t, ['restore', beside, '--data-dir', fresh, '--yes'])
      assert.equal(refused.code, 1)
      assertSentence(refused.stderr, /is in use by another casework/)
      await stopServer(reopened)
    },
  )

  await suite.test(
    'a restore erases again what the log of erasures has beyond the backup',
    async (t) => {
      const fresh = makeOpenFolder(t)
      const log = join(dataDir, 'erasures.jsonl')
      const args = ['restore', beside, '--data-dir', fresh, '--erasure-log', log, '--yes']
      const restored = await runCommand(t, args)
      assert.deepEqual({ code: restored.code, stderr: restored.stderr }, { code: 0, stderr: '' })
      assert.match(
        restored.stdout,
        /\nErased again: 1 addresses of 1 erasures \(no row changed\)\.\n$/,
      )
      const second = await runCommand(t, ['privacy', 'erase-again', log, '--data-dir', fresh])
      assert.equal(second.stdout, 'No erasure of the log is missing here.\n')
    },
  )

  await suite.test('a restore of data with erasures says that their log is missing', async (t) => {
    const restored = await runCommand(t, [
      'restore',
      alone,
      '--data-dir',
      makeOpenFolder(t),
      '--yes',
    ])
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stderr, /^There is no log of erasures at \S+erasures\.jsonl: /)
  })
})

async function eraseOverNetwork(url: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(`${url}/beta/casework/erasures`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ address: 'ana@example.org' }),
  })
  assert.equal(answer.status, 200)
}
