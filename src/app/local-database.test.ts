import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DataFolder, openDataFolder } from '../kernel/data-folder.ts'
import { answerLocally, askForDatabase } from './local-database.ts'

async function openFolder(t: TestContext, ...below: readonly string[]): Promise<DataFolder> {
  const root = mkdtempSync(join(tmpdir(), 'casework-local-'))
  const folder = await openDataFolder({ path: join(root, ...below) })
  t.after(async () => {
    await folder.close()
    rmSync(root, { recursive: true })
  })
  return folder
}

const ADDRESS = {
  kind: 'socket',
  folder: '/run/example',
  port: 5432,
  user: 'casework',
  database: 'casework',
} as const

test('a server tells where its database is, and hands every other request on', async (t) => {
  // Deeper than the address of a socket may be.
  const folder = await openFolder(t, 'deep'.repeat(20), 'deeper'.repeat(20))
  let handedOn = 0
  folder.setRequestHandler(
    answerLocally(ADDRESS, (_request, response) => {
      handedOn += 1
      response.writeHead(404).end()
    }),
  )
  assert.deepEqual(await askForDatabase(folder.path), ADDRESS)
  assert.equal(handedOn, 0)
  const url = { kind: 'url', url: 'postgres://casework@db.example/casework' } as const
  folder.setRequestHandler(answerLocally(url, () => undefined))
  assert.deepEqual(await askForDatabase(folder.path), url)
})

test('a server that does not answer is waited for so long and no longer (APP_SERVER_NOT_READY)', async (t) => {
  const folder = await openFolder(t)
  folder.setRequestHandler(() => undefined)
  await assert.rejects(askForDatabase(folder.path, 20), { code: 'APP_SERVER_NOT_READY' })
})

test('a server that is still starting is told apart from none (APP_SERVER_NOT_READY)', async (t) => {
  const folder = await openFolder(t)
  await assert.rejects(askForDatabase(folder.path), { code: 'APP_SERVER_NOT_READY' })
  await folder.close()
  assert.equal(await askForDatabase(folder.path), null)
  assert.equal(await askForDatabase(join(folder.path, 'missing')), null)
})
