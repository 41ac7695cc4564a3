// SQL of the demo: its tenants, what of the instance it made, and how much there is.

import { sql } from 'kysely'
import { insertDemoTenant, joinDemoTenants, retireUsers } from '../../access/demo-tenants.ts'
import { ADMINISTRATOR_ROLES } from '../../access/people/user-roles.ts'
import type { Config } from '../../kernel/config.ts'
import { createDatabase, type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { DatabaseConnection } from '../../kernel/db/database-hosts.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { openClient } from '../../kernel/db/open-client.ts'
import { silentLog } from '../../kernel/log.ts'
import { LOCAL_ACTOR, openOperatorAudit } from '../record-operator-acts.ts'
import { type DemoPerson, HOSTING_PEOPLE, insertPeople, REGISTRAR_PEOPLE } from './demo-people.ts'

export const HOSTING = 'demo-hosting'
export const REGISTRAR = 'demo-registrar'

const TENANTS = [
  { id: HOSTING, name: 'Nordhafen Hosting (demo)', people: Object.values(HOSTING_PEOPLE) },
  { id: REGISTRAR, name: 'Fjordname Registrar (demo)', people: Object.values(REGISTRAR_PEOPLE) },
] as const

export async function onDatabase<Result>(
  connection: DatabaseConnection,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const database = createDatabase({ connection, poolMax: 2, log: silentLog })
  try {
    return await work(database.kysely)
  } finally {
    await database.close()
  }
}

export async function listDemoTenants(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{
    id: string
  }>`select id from tenant where is_demo order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** False for a part of one, which a filling that was killed has left; the next one removes it. */
export async function hasDemo(connection: DatabaseConnection): Promise<boolean> {
  return await onDatabase(connection, (db) =>
    inTransaction(db, async (tx) => {
      if ((await listDemoTenants(tx)).length === 0) return false
      const left = await sql`${NOTES_OF_KILLED}`.execute(tx)
      return left.rows.length === 0
    }),
  )
}

// A filling holds the lock of its note, which ends with its process.
const NOTES_OF_KILLED = sql`select id from demo_record where kind = 'filling' for update skip locked`

/** Removes the note of a filling that was killed. */
export async function forgetFilling(tx: Tx): Promise<void> {
  await sql`delete from demo_record using (${NOTES_OF_KILLED}) as left_over
    where demo_record.kind = 'filling' and demo_record.id = left_over.id`.execute(tx)
}

export interface DemoFilling {
  /** A former one was killed, and has perhaps left a part of a demo. */
  readonly isSecond: boolean
  /** `whole`: the demo is whole, or gone. Else the next filling removes what there is. */
  readonly end: (state: 'whole' | 'broken') => Promise<void>
}

/** Null while another one is under way, in this process or elsewhere. */
export async function beginFilling(connection: DatabaseConnection): Promise<DemoFilling | null> {
  const { client, close } = await openClient(connection, 'casework demo filling')
  try {
    const noted = await client.query(
      `insert into demo_record (kind, id) values ('filling', 'demo') on conflict do nothing`,
    )
    await client.query('begin')
    // It says nothing until the demo is full, some seconds or a minute later.
    await client.query('set local idle_in_transaction_session_timeout = 0')
    const locked = await client.query(
      `select from demo_record where kind = 'filling' for update skip locked`,
    )
    if (locked.rowCount === 0) {
      await close()
      return null
    }
    return {
      isSecond: noted.rowCount === 0,
      async end(state) {
        try {
          if (state === 'whole') {
            await client.query(`delete from demo_record where kind = 'filling'`)
            await client.query('commit')
          }
        } finally {
          await close()
        }
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** False when the demo is there, or another tenant has one of its ids. */
export async function makeDemoTenants(
  config: Config,
  connection: DatabaseConnection,
): Promise<boolean> {
  return await onDatabase(connection, (db) =>
    inInstance('fill the demo', () => inTransaction(db, (tx) => insertTenants(config, tx))),
  )
}

async function insertTenants(config: Config, tx: Tx): Promise<boolean> {
  for (const { id, name, people } of TENANTS) {
    if (!(await insertDemoTenant(tx, id, name))) return false
    await insertPeople(tx, id, people)
    await recordMade(
      tx,
      'user',
      people.map((one: DemoPerson) => one.id),
    )
  }
  await addAdministrators(tx)
  await openOperatorAudit(config).record(tx, 'demo.fill', {
    tenantId: null,
    id: HOSTING,
    by: LOCAL_ACTOR,
    after: { tenants: TENANTS.map(({ id }) => id) },
  })
  return true
}

/** Who administers the instance looks at the demo as well. */
async function addAdministrators(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`
    select distinct u.id, u.name from tenant_user m join user_account u on u.id = m.user_id
      join tenant t on t.id = m.tenant_id
    where not t.is_demo and m.roles && ${[...ADMINISTRATOR_ROLES]}`.execute(tx)
  for (const { id, name } of rows) await joinDemoTenants(tx, { userId: id, name })
}

export type DemoRecordKind = 'user' | 'source' | 'tag'

/** What the removal deletes beside the rows of the tenants. */
export async function recordMade(
  db: Db,
  kind: DemoRecordKind,
  ids: readonly string[],
): Promise<void> {
  await sql`insert into demo_record (kind, id) select ${kind}, id from unnest(${[...ids]}::text[]) as id
    on conflict do nothing`.execute(db)
}

export async function listMade(db: Db, kind: DemoRecordKind): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from demo_record where kind = ${kind} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Nobody signs in as one of the people any more. */
export async function retirePeople(connection: DatabaseConnection): Promise<void> {
  await onDatabase(connection, async (db) => await retireUsers(db, await listMade(db, 'user')))
}

export interface DemoCounts {
  readonly tenants: number
  readonly cases: number
  readonly events: number
}

export async function countDemo(connection: DatabaseConnection): Promise<DemoCounts> {
  return await onDatabase(connection, (db) =>
    inInstance('fill the demo', async () => {
      const { rows } = await sql<DemoCounts>`
        select (select count(*) from tenant where is_demo)::integer as tenants,
          (select count(*) from abuse_case where tenant_id = any (${TENANT_IDS}::text[]))::integer as cases,
          (select count(*) from event where tenant_id = any (${TENANT_IDS}::text[]))::integer as events`.execute(
        db,
      )
      return rows[0] ?? { tenants: 0, cases: 0, events: 0 }
    }),
  )
}

export const TENANT_IDS: readonly string[] = TENANTS.map(({ id }) => id)
