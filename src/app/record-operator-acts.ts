// Acts of the operator on the machine, which no request asks for: backup, restore, new versions of
// the schema. They stand in the chain of the instance.

import { basename } from 'node:path'
import type { ClientBase } from 'pg'
import type { Actor } from '../access/audit/audit-entry.ts'
import { type AuditLog, createAuditLog } from '../access/audit/audit-log.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase, inTransaction } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import { seeTransaction } from '../kernel/db/see-transaction.ts'
import { readErrorCode } from '../kernel/db/trouble-codes.ts'
import type { Log } from '../kernel/log.ts'
import { createSecretCipher } from '../kernel/secrets/secret-cipher.ts'
import { loadSecretKeys } from '../kernel/secrets/secret-keys.ts'

/** Who runs a command on the machine. */
export const LOCAL_ACTOR: Actor = { kind: 'local', id: 'local' }

export function openOperatorAudit(config: Config): AuditLog {
  const secrets = createSecretCipher(loadSecretKeys(config))
  return createAuditLog({ clock: systemClock, secrets })
}

// A database that was never used has no token, and stays empty: a restore fills it.
const IS_USED = 'select from api_token limit 1'

export async function recordMigration(
  config: Config,
  client: ClientBase,
  applied: readonly string[],
  by: Actor,
): Promise<void> {
  const tokens = await inInstance('migrate', () => client.query(IS_USED))
  if (tokens.rows.length === 0) return
  await openOperatorAudit(config).record(seeTransaction(client), 'schema.migrate', {
    tenantId: null,
    id: applied.at(-1) ?? '',
    by,
    after: { applied },
  })
}

export async function recordRestore(
  config: Config,
  client: ClientBase,
  {
    createdAt,
    repeatedErasures,
  }: { readonly createdAt: string; readonly repeatedErasures: number },
): Promise<void> {
  await openOperatorAudit(config).record(seeTransaction(client), 'backup.restore', {
    tenantId: null,
    id: createdAt,
    by: LOCAL_ACTOR,
    after: { created_at: createdAt, repeated_erasures: repeatedErasures },
  })
}

const READ_ONLY = '25006'

/** Before the backup, so that the backup has it, and none is made without it. */
export async function recordBackup(
  config: Config,
  connection: DatabaseConnection,
  log: Log,
  file: string,
): Promise<void> {
  const database = createDatabase({ connection, poolMax: 1, log })
  try {
    // The schema may be older than the audit log.
    const found = await database.pool.query(
      `select from pg_class where oid = to_regclass('audit_entry')`,
    )
    if (found.rows.length === 0) return
    const audit = openOperatorAudit(config)
    const about = { tenantId: null, id: basename(file), by: LOCAL_ACTOR }
    await inTransaction(database.kysely, (tx) => audit.record(tx, 'backup.create', about))
  } catch (error) {
    if (readErrorCode(error) !== READ_ONLY) throw error
    log.warn('The backup is not in the audit log: this database takes no writes')
  } finally {
    await database.close()
  }
}
