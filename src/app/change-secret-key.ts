// Encrypts all stored secrets with another key. With the embedded database a new key is made and
// the file of the data folder replaced; with DATABASE_URL the operator has put the new key in front
// of the present ones in CASEWORK_SECRET_KEY, and running nodes have both.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sealAuditKeysAgain } from '../access/audit/audit-key-store.ts'
import { createAuditLog } from '../access/audit/audit-log.ts'
import { sealTotpAgain } from '../access/factors/factor-store.ts'
import { sealAgain } from '../casework/secrets/secret-store.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Config } from '../kernel/config.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import { createDatabase, inTransaction } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
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
  /** How many secrets had another key. */
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

/** The file holds all keys until the last secret is sealed anew, so a crash loses none. */
async function replaceKeyFile(
  config: Config,
  connection: DatabaseConnection,
): Promise<ChangedSecrets> {
  loadSecretKeys(config)
  const present = readFileSync(join(config.dataDir, SECRET_KEY_FILE), 'utf8').trim().split(/\s+/)
  const fresh = createSecretKeyText()
  const both = [fresh, ...present].slice(0, SECRET_KEYS_MAX)
  writeSecretKeyFile(config.dataDir, both)
  const cipher = createSecretCipher(parseSecretKeys(both.join('\n')) ?? [])
  const rotated = await sealAll(connection, cipher)
  writeSecretKeyFile(config.dataDir, [fresh])
  return rotated
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
    let count = await inTransaction(database.kysely, (tx) => sealAuditKeysAgain(tx, cipher))
    for (;;) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      const apps = await inTransaction(database.kysely, (tx) => sealTotpAgain(tx, cipher))
      count += apps
      if (apps === 0) break
    }
    for (;;) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      const batch = await inTransaction(database.kysely, async (tx) => {
        const sealed = await sealAgain(tx, cipher)
        const about = { tenantId: null, id: keyId, by: LOCAL_ACTOR }
        if (!sealed.isMore) await audit.record(tx, 'secret_key.change', about)
        return sealed
      })
      count += batch.count
      if (!batch.isMore) return { keyId, count }
    }
  } finally {
    await database.close()
  }
}
