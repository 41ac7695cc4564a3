// Encrypts all stored secrets with another key. With the embedded database a new key is made and
// the file of the data folder replaced; with DATABASE_URL the operator has put the new key in front
// of the present ones in CASEWORK_SECRET_KEY, and running nodes have both.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listAuditSecretKeyIds, sealAuditKeysAgain } from '../access/audit/audit-key-store.ts'
import { createAuditLog } from '../access/audit/audit-log.ts'
import { listTotpKeyIds, sealTotpAgain } from '../access/factors/factor-store.ts'
import { listSecretKeys, sealAgain } from '../casework/secrets/secret-store.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Config } from '../kernel/config.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import { createDatabase, type Db, inTransaction, type Tx } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { settingsNotUsable } from '../kernel/errors.ts'
import { sealAnswersAgain } from '../kernel/http/keep-answer.ts'
import { silentLog } from '../kernel/log.ts'
import { createSecretCipher, type SecretCipher } from '../kernel/secrets/secret-cipher.ts'
import {
  createSecretKeyText,
  loadSecretKeys,
  parseSecretKeys,
  requireSecretKeys,
  SECRET_KEY_FILE,
  SECRET_KEYS_MAX,
  writeSecretKeyFile,
} from '../kernel/secrets/secret-keys.ts'
import { assertHasDatabase, openServedDatabase } from './open-database.ts'
import { LOCAL_ACTOR } from './record-operator-acts.ts'

export interface ChangedSecrets {
  /** The key that encrypts from now on. */
  readonly keyId: string
  /** How many secrets had another key; answers that are kept for a day are not counted. */
  readonly count: number
}

/**
 * Throws KERNEL_DATA_FOLDER_IN_USE while a server runs on the data folder, and
 * KERNEL_SECRET_KEY_MISSING, having changed nothing more, for a secret of a key that is not there.
 */
export async function changeSecretKey(config: Config): Promise<ChangedSecrets> {
  assertHasDatabase(config)
  const isEmbedded = config.databaseUrl === null
  const folder = isEmbedded ? await openDataFolder({ path: config.dataDir }) : null
  try {
    const database = await openServedDatabase(config, silentLog, LOCAL_ACTOR)
    try {
      return config.secretKey === null && isEmbedded
        ? await replaceKeyFile(config, database.connection)
        : await sealAll(database.connection, openConfiguredCipher(config))
    } finally {
      await database.stop()
    }
  } finally {
    await folder?.close()
  }
}

function openConfiguredCipher(config: Config): SecretCipher {
  const keys = loadSecretKeys(config)
  requireSecretKeys(keys)
  return createSecretCipher(keys)
}

/** The file holds every key in use until the last secret is sealed anew, so a crash loses none. */
async function replaceKeyFile(
  config: Config,
  connection: DatabaseConnection,
): Promise<ChangedSecrets> {
  loadSecretKeys(config)
  const used = await readUsedKeys(config, connection)
  if (used.length >= SECRET_KEYS_MAX) throw tooManyKeys(config, used.length)
  const fresh = createSecretKeyText()
  const both = [fresh, ...used]
  writeSecretKeyFile(config.dataDir, both)
  const cipher = createSecretCipher(parseSecretKeys(both.join('\n')) ?? [])
  const rotated = await sealAll(connection, cipher)
  writeSecretKeyFile(config.dataDir, [fresh])
  return rotated
}

/** The keys of the file that something is sealed with. A change that failed leaves others there. */
async function readUsedKeys(
  { dataDir }: Config,
  connection: DatabaseConnection,
): Promise<readonly string[]> {
  const keys = readFileSync(join(dataDir, SECRET_KEY_FILE), 'utf8').split(/[\s,]+/)
  const database = createDatabase({ connection, poolMax: 1, log: silentLog })
  try {
    const { kysely: db } = database
    const used = await inInstance('seal secrets', async () => [
      ...(await listSecretKeys(db)),
      ...(await listTotpKeyIds(db)),
      ...(await listAuditSecretKeyIds(db)),
    ])
    return keys.filter((key) => parseSecretKeys(key)?.every(({ id }) => used.includes(id)) === true)
  } finally {
    await database.close()
  }
}

function tooManyKeys({ dataDir }: Config, count: number): Error {
  return settingsNotUsable([
    `Secrets are encrypted with ${count} keys of ${SECRET_KEY_FILE} in ${dataDir}, and the file takes ${SECRET_KEYS_MAX} with the new one. Delete the secrets of one of these keys, and run the command again.`,
  ])
}

async function sealAll(
  connection: DatabaseConnection,
  cipher: SecretCipher,
): Promise<ChangedSecrets> {
  return await inInstance('seal secrets', () => sealInBatches(connection, cipher))
}

async function sealInBatches(
  connection: DatabaseConnection,
  cipher: SecretCipher,
): Promise<ChangedSecrets> {
  const database = createDatabase({ connection, poolMax: 1, log: silentLog })
  try {
    const audit = createAuditLog({ clock: systemClock, secrets: cipher })
    const [keyId = ''] = cipher.keyIds
    const { kysely: db } = database
    const keys = await inTransaction(db, (tx) => sealAuditKeysAgain(tx, cipher))
    const apps = await sealWhileMore(db, async (tx) => {
      const count = await sealTotpAgain(tx, cipher)
      return { count, isMore: count > 0 }
    })
    await sealWhileMore(db, async (tx) => ({ ...(await sealAnswersAgain(tx, cipher)), count: 0 }))
    const secrets = await sealWhileMore(db, async (tx) => {
      const sealed = await sealAgain(tx, cipher)
      const about = { tenantId: null, id: keyId, by: LOCAL_ACTOR }
      if (!sealed.isMore) await audit.record(tx, 'secret_key.change', about)
      return sealed
    })
    return { keyId, count: keys + apps + secrets }
  } finally {
    await database.close()
  }
}

/** One transaction after the other. How many were sealed in all of them. */
async function sealWhileMore(
  db: Db,
  seal: (tx: Tx) => Promise<{ readonly count: number; readonly isMore: boolean }>,
): Promise<number> {
  let count = 0
  // Ends: each transaction leaves fewer that have another key.
  for (;;) {
    const done = await inTransaction(db, seal)
    count += done.count
    if (!done.isMore) return count
  }
}
