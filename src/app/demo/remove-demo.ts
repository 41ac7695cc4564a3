// Takes the demo away: the rows of its tenants, its people, and the sources and tags that it made.
// Whatever else is in the database stays.

import { sql } from 'kysely'
import { deleteDemoTenants, deleteUsers, endSessionsIn } from '../../access/demo-tenants.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Config } from '../../kernel/config.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { silentLog } from '../../kernel/log.ts'
import { orderByParents } from '../backup/catalogue.ts'
import { LOCAL_CALLER } from '../local-caller.ts'
import { LOCAL_ACTOR, openOperatorAudit } from '../record-operator-acts.ts'
import { openDemoDesk } from './demo-desk.ts'
import { forgetFilling, listDemoTenants, listMade, onDatabase } from './demo-store.ts'

export interface RemoveDemoOptions {
  readonly config: Config
  readonly connection: DatabaseConnection
}

/** The ids of the tenants that are gone; none when there was no demo. */
export async function removeDemo({
  config,
  connection,
}: RemoveDemoOptions): Promise<readonly string[]> {
  await removeIntel(config, connection)
  return await onDatabase(connection, (db) =>
    inInstance('remove the demo', () =>
      inTransaction(db, async (tx) => {
        const tenants = await listDemoTenants(tx)
        if (tenants.length === 0) return []
        await removeTenants(tx, tenants)
        await deleteUsers(tx, await listMade(tx, 'user'))
        await sql`delete from demo_record where kind <> 'filling'`.execute(tx)
        await forgetFilling(tx)
        await openOperatorAudit(config).record(tx, 'demo.remove', {
          tenantId: null,
          id: tenants[0] ?? '',
          by: LOCAL_ACTOR,
          before: { tenants },
        })
        return tenants
      }),
    ),
  )
}

/** By the routes of sources and tags, which tell every node that the entries are gone. */
async function removeIntel(config: Config, connection: DatabaseConnection): Promise<void> {
  const [sources, tags] = await onDatabase(connection, async (db) => [
    await listMade(db, 'source'),
    await listMade(db, 'tag'),
  ])
  if (sources.length + tags.length === 0) return
  const desk = await openDemoDesk(config, { clock: systemClock, connection }, silentLog)
  try {
    for (const path of sources) {
      await desk.send(LOCAL_CALLER, 'DELETE', `/beta/sources/${path}`, GONE)
    }
    for (const name of tags) {
      await desk.send(LOCAL_CALLER, 'DELETE', `/beta/tags/${name}`, GONE)
    }
  } finally {
    await desk.close()
  }
}

// A filling that failed has not made all of them, and somebody may have deleted one by hand. A tag
// that others use by now is theirs.
const GONE = { mayBe: ['INTEL_SOURCE_UNKNOWN', 'INTEL_TAG_UNKNOWN', 'INTEL_TAG_IN_USE'] }

async function removeTenants(tx: Tx, tenants: readonly string[]): Promise<void> {
  await endSessionsIn(tx, tenants)
  for (const tenant of tenants) await sql`select forget_demo_audit(${tenant})`.execute(tx)
  for (const table of await listTenantTables(tx)) {
    await sql`delete from ${sql.table(table)} where tenant_id = any (${[...tenants]}::text[])`.execute(
      tx,
    )
  }
  await deleteDemoTenants(tx, tenants)
}

// Their rows go by functions of their own.
const AUDIT_TABLES = ['audit_entry', 'audit_detail', 'audit_head', 'audit_checkpoint']

/** Tables with a tenant_id, those that refer to another one before it. */
async function listTenantTables(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; parents: readonly string[] }>`
    select c.relname::text as name,
      array(select distinct p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'tenant_id' and not a.attisdropped and not c.relname = any (${AUDIT_TABLES})
    order by c.relname`.execute(db)
  const names = new Set(rows.map(({ name }) => name))
  const left = rows.map(({ name, parents }) => ({
    name,
    parents: parents.filter((parent) => names.has(parent)),
  }))
  return orderByParents(left)
    .map(({ name }) => name)
    .toReversed()
}
