// Before a start: this node must have the key of every stored secret, and none may be stored in
// clear.

import { listTotpKeyIds } from '../access/factors/factor-store.ts'
import { sealOldHeaderValues } from '../casework/owners/owner-resolver-store.ts'
import { listSecretKeys } from '../casework/secrets/secret-store.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { settingsNotUsable } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { createSecretCipher } from '../kernel/secrets/secret-cipher.ts'
import {
  loadSecretKeys,
  requireSecretKeys,
  SECRET_KEY_FILE,
} from '../kernel/secrets/secret-keys.ts'

/** Throws KERNEL_SETTINGS_NOT_USABLE with the sentence that says which key is missing. */
export async function checkSecrets(
  config: Config,
  connection: DatabaseConnection,
  log: Log,
): Promise<void> {
  const keys = loadSecretKeys(config)
  requireSecretKeys(keys)
  const database = createDatabase({ connection, poolMax: 1, log })
  try {
    const ids = new Set(keys.map(({ id }) => id))
    const present = await inInstance('seal secrets', async () => [
      ...new Set([
        ...(await listSecretKeys(database.kysely)),
        ...(await listTotpKeyIds(database.kysely)),
      ]),
    ])
    const missing = present.filter((id) => !ids.has(id))
    if (missing.length > 0) throw settingsNotUsable([explainMissing(config, missing, [...ids])])
    await inInstance('seal secrets', () =>
      sealOldHeaderValues(database.kysely, createSecretCipher(keys)),
    )
  } finally {
    await database.close()
  }
}

function explainMissing(
  { secretKey, dataDir }: Config,
  missing: readonly string[],
  present: readonly string[],
): string {
  const keys = missing.length === 1 ? `the key ${missing.join()}` : `the keys ${missing.join(', ')}`
  const place =
    secretKey === null ? `the file ${SECRET_KEY_FILE} in ${dataDir}` : 'CASEWORK_SECRET_KEY'
  return `Secrets in this database were encrypted with ${keys}, and ${place} has only ${present.join(', ')}. Add the missing key behind the present one, or start with the key that the other nodes have.`
}
