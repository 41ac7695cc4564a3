// The first administrator token: the one of CASEWORK_BOOTSTRAP_TOKEN, applied again at each start,
// or one that is made and shown once.

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hasAnyToken, insertToken, replaceBootstrapToken } from '../access/api-token-store.ts'
import { createTokenText, hashToken } from '../access/token-text.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase, inTransaction, type Tx } from '../kernel/db/database.ts'
import type { DatabaseConnection } from '../kernel/db/database-hosts.ts'
import { inInstance } from '../kernel/db/instance-acts.ts'
import type { Log } from '../kernel/log.ts'
import type { AuditAct } from '../vocabulary/audit-acts.ts'
import { DEFAULT_TENANT_ID } from '../vocabulary/caller.ts'
import { SCOPES } from '../vocabulary/scopes.ts'
import { openOperatorAudit } from './record-operator-acts.ts'

/**
 * The text of the token that this start made, or null when there was one already or the operator
 * gave its value.
 */
export async function ensureFirstToken(
  config: Config,
  connection: DatabaseConnection,
  log: Log,
): Promise<string | null> {
  const database = createDatabase({ connection, poolMax: 2, log })
  try {
    // Several nodes may start at once on a fresh database: one makes the token while the others
    // wait. The lock is held on one connection and the work done on the other, because the store
    // opens transactions of its own.
    return await database.kysely.transaction().execute(async (tx) => {
      await sql`select 1 from schema_lock where id = 1 for update`.execute(tx)
      return await inInstance('make the first token', () =>
        inTransaction(database.kysely, (work) => makeToken(config, work)),
      )
    })
  } finally {
    await database.close()
  }
}

async function makeToken(config: Config, tx: Tx): Promise<string | null> {
  const record = (act: AuditAct, id: string, name: string): Promise<void> =>
    openOperatorAudit(config).record(tx, act, {
      tenantId: DEFAULT_TENANT_ID,
      id,
      by: { kind: 'program', id: 'start' },
      after: { name, scopes: SCOPES },
    })
  if (config.bootstrapToken !== null) {
    const token = buildAdministrator(config.bootstrapToken, true)
    const id = await replaceBootstrapToken(tx, token)
    if (id !== null) await record('token.replace', id, token.name)
    return null
  }
  if (await hasAnyToken(tx)) return null
  const text = createTokenText('admin')
  const token = buildAdministrator(text, false)
  await insertToken(tx, token)
  await record('token.create', token.id, token.name)
  return text
}

function buildAdministrator(text: string, isBootstrap: boolean) {
  return {
    id: `tok_${randomUUID().replaceAll('-', '')}`,
    tokenHash: hashToken(text),
    name: isBootstrap ? 'bootstrap' : 'first administrator',
    tenantId: DEFAULT_TENANT_ID,
    scopes: SCOPES,
    contactEmail: null,
    isBootstrap,
    expiresAt: null,
  }
}
