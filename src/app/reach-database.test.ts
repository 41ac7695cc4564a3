// The database of a command, and the key of secrets that belongs to it.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { buildTestConfig, createTestDatabase } from '../../test/harness.ts'
import type { Config } from '../kernel/config.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import { silentLog } from '../kernel/log.ts'
import { SECRET_KEY_FILE } from '../kernel/secrets/secret-keys.ts'
import { backUp } from './backup/backup-data.ts'
import { fillDemo } from './demo/fill-demo.ts'
import { answerLocally } from './local-database.ts'
import { withDatabase } from './reach-database.ts'
import { verifyDatabase } from './verify-audit-log.ts'

const EVERYTHING = { chain: null, expectedHead: null, trustedKeys: [] }

/** The settings of a command that knows the data folder alone. */
function configOf(dataDir: string): Config {
  return { ...buildTestConfig({}), databaseUrl: null, secretKey: null, dataDir }
}

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'casework-reach-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a command beside a server on a database of its own makes no key in the data folder', async (t) => {
  const dataDir = makeFolder(t)
  const { connection, drop } = await createTestDatabase()
  const { user, host, port, database } = connection
  const url = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const folder = await openDataFolder({ path: dataDir })
  t.after(async () => {
    await folder.close()
    await drop()
  })
  folder.setRequestHandler(answerLocally({ kind: 'url', url }, () => undefined))
  const config = configOf(dataDir)
  await backUp(config, silentLog, join(dataDir, 'one.backup'), new AbortController().signal)
  await assert.rejects(verifyDatabase(config, silentLog, EVERYTHING), {
    code: 'KERNEL_SETTINGS_NOT_USABLE',
  })
  // With a key of its own its secrets would keep the server from starting again.
  const filled = withDatabase(config, silentLog, (at, _, used) =>
    fillDemo({ config: used, connection: at }),
  )
  await assert.rejects(filled, /KERNEL_SECRET_KEY_MISSING/)
  assert.equal(existsSync(join(dataDir, SECRET_KEY_FILE)), false)
})

test('a folder without data is refused before anything is made in it (APP_NO_DATA)', async (t) => {
  const dataDir = makeFolder(t)
  for (const path of [dataDir, join(dataDir, 'missing')]) {
    await assert.rejects(verifyDatabase(configOf(path), silentLog, EVERYTHING), {
      code: 'APP_NO_DATA',
    })
  }
  assert.equal(existsSync(join(dataDir, SECRET_KEY_FILE)), false)
})
