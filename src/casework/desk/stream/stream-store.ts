// SQL of the change stream: messages by tenant and serial, and how far they reach back.

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { type DueRows, type TenantPass, workByTenant } from '../../../kernel/db/due-tenants.ts'
import { NOT_COPIED } from '../../../kernel/db/not-copied.ts'
import { databaseBusy } from '../../../kernel/errors.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { Change } from '../../changes/change.ts'
import { hasListener, removeListener, setListener } from '../../changes/outbox-store.ts'
import { STREAM_KINDS, type StreamMessage } from './stream-message.ts'

/** A client that comes back within this time misses nothing. */
export const STREAM_HOURS = 24
const LISTENER = 'stream'

export interface StreamHead {
  readonly tenantId: string
  readonly serial: number
  /** Messages after this serial are all there. */
  readonly keptFrom: number
  /** The head should be opened again, or the tenant's changes are no longer noted some day. */
  readonly isAging: boolean
}

/**
 * The head of the tenant, whose changes are noted for a day from now on. After a pause the serial
 * moves on, so that an id from before the pause is known to be too old.
 */
export async function openStreamHead(db: Db, scope: TenantScope): Promise<StreamHead> {
  const [head] = await findStreamHeads(db, [scope.tenantId])
  if (head !== undefined && !head.isAging) return head
  const isSettled = await wantChanges(db, scope)
  if (!isSettled) await awaitWriters(db)
  const opened = await sql<StreamHead>`
    update stream_head set is_settled = true where tenant_id = ${scope.tenantId}
    returning tenant_id as "tenantId", serial, kept_from as "keptFrom", false as "isAging"`.execute(
    db,
  )
  const [row] = opened.rows
  if (row === undefined) throw new Error('a stream head that was written is not there')
  return row
}

/** True when the changes of the tenant were noted all the time. */
async function wantChanges(db: Db, scope: TenantScope): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    await sql`
      insert into stream_head (tenant_id, wanted_until) values (${scope.tenantId}, now() + interval '1 hour')
      on conflict (tenant_id) do nothing`.execute(tx)
    // Citus takes no sum of times in the update below, so the times are read first.
    const { rows } = await sql<{ at: string; until: string }>`
      select now()::text as at, (now() + ${STREAM_HOURS} * interval '1 hour')::text as until`.execute(
      tx,
    )
    const at = sql`${rows[0]?.at}::timestamptz`
    const wanted = await sql<{ isSettled: boolean }>`
      update stream_head set
        serial = serial + case when wanted_until < ${at} then 1 else 0 end,
        kept_from = case when wanted_until < ${at} then serial + 1 else kept_from end,
        is_settled = is_settled and wanted_until >= ${at},
        wanted_until = ${rows[0]?.until}::timestamptz
      where tenant_id = ${scope.tenantId}
      returning is_settled as "isSettled"`.execute(tx)
    await setListener(tx, scope, LISTENER, STREAM_KINDS)
    return wanted.rows[0]?.isSettled === true
  })
}

const WRITERS_CHECK_MS = 50
const WRITERS_WAIT_MS = 10_000

/**
 * Waits for the statements and transactions that looked for listeners before there was one: their
 * changes are not noted, so they must be over before the stream begins. Each of them holds the lock
 * of a writer on the outbox. Nobody is held up by this, unlike by a lock of our own.
 */
async function awaitWriters(db: Db): Promise<void> {
  const checks = WRITERS_WAIT_MS / WRITERS_CHECK_MS
  let waitedFor: readonly string[] | null = null
  for (let check = 0; check < checks; check += 1) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const found = await sql<{ writer: string }>`
      select virtualtransaction as writer from pg_locks
      where locktype = 'relation' and relation = 'change'::regclass and mode = 'RowExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(db)
    const writers = new Set(found.rows.map(({ writer }) => writer))
    waitedFor = (waitedFor ?? [...writers]).filter((writer) => writers.has(writer))
    if (waitedFor.length === 0) return
    // oxlint-disable-next-line eslint/no-await-in-loop
    await delay(WRITERS_CHECK_MS)
  }
  throw databaseBusy(new Error('transactions that write changes do not end'))
}

/** Whether somebody wants the changes of the tenant. */
export async function hasStream(tx: Tx, { tenantId }: TenantScope): Promise<boolean> {
  const found = await sql`
    select from stream_head where tenant_id = ${tenantId} and wanted_until >= now()`.execute(tx)
  return found.rows.length > 0
}

/** The heads of these tenants, in one statement; lapsed ones are left out. */
export async function findStreamHeads(
  db: Db,
  tenantIds: readonly string[],
): Promise<readonly StreamHead[]> {
  const found = await sql<StreamHead>`
    select tenant_id as "tenantId", serial, kept_from as "keptFrom",
      wanted_until < now() + ${STREAM_HOURS - 1} * interval '1 hour' as "isAging"
    from stream_head
    where tenant_id = any(${[...tenantIds]}::text[]) and wanted_until >= now() and is_settled`.execute(
    db,
  )
  return found.rows
}

/** Up to `limit` messages after this serial, in their order. */
export async function listStreamMessages(
  db: Db,
  { tenantId }: TenantScope,
  after: number,
  limit: number,
): Promise<readonly StreamMessage[]> {
  const found = await sql<StreamMessage>`
    select serial, kind, what, subject_id as "subjectId", case_id as "caseId", at from stream_message
    where tenant_id = ${tenantId} and serial > ${after} order by serial limit ${limit}`.execute(db)
  return found.rows
}

/**
 * Gives the changes of one tenant their serials. The lock of the head lets no later serial be
 * visible before an earlier one. Nothing where no stream is wanted.
 */
export async function addStreamMessages(
  tx: Tx,
  { tenantId }: TenantScope,
  changes: readonly Change[],
): Promise<void> {
  const rows = changes.map(({ kind, what, subjectId, caseId, at }, index) => ({
    index: index + 1,
    kind,
    what,
    subject_id: subjectId,
    case_id: caseId,
    at,
  }))
  await sql`
    with head as (
      update stream_head set serial = serial + ${rows.length}
      where tenant_id = ${tenantId} and wanted_until >= now()
      returning serial - ${rows.length} as before
    )
    insert into stream_message (tenant_id, serial, kind, what, subject_id, case_id, at)
    select ${tenantId}, head.before + given.index, kind, what, subject_id, case_id, at
    from head, json_to_recordset(${JSON.stringify(rows)}::json) as given (
      index integer, kind text, what text, subject_id text, case_id text, at timestamptz)
    ${NOT_COPIED}`.execute(tx)
}

const REMOVED_AT_ONCE = 5_000

const OLD_MESSAGES: DueRows = {
  table: 'stream_message',
  isDue: sql`noted_at < now() - ${sql.lit(STREAM_HOURS)} * interval '1 hour'`,
  since: sql`noted_at`,
}

/** Removes messages that are too old, of each tenant, and notes how far the others reach back. */
export async function removeOldMessages(pass: TenantPass): Promise<{ readonly isMore: boolean }> {
  const { db } = pass
  return await workByTenant(pass, OLD_MESSAGES, REMOVED_AT_ONCE, (tenantId, limit) =>
    inTransaction(db, async (tx) => {
      const removed = await sql<{ serial: number }>`
        delete from stream_message using (
          select serial from stream_message where tenant_id = ${tenantId} and ${OLD_MESSAGES.isDue}
          order by noted_at limit ${limit} for update skip locked
        ) as old
        where stream_message.tenant_id = ${tenantId} and stream_message.serial = old.serial
        returning stream_message.serial`.execute(tx)
      const newest = removed.rows.reduce((most, { serial }) => Math.max(most, serial), 0)
      await sql`
        update stream_head set kept_from = greatest(kept_from, ${newest})
        where tenant_id = ${tenantId}`.execute(tx)
      return removed.rows.length
    }),
  )
}

// A tenant has one head, so none ever has as many.
const HEADS_MAX = 2

// A head stays, as its serial must not begin anew; it is done with once it has no listener. Else
// those that lapsed first would be found again each time, and later ones never.
const UNWANTED: DueRows = {
  table: 'stream_head',
  isDue: sql`wanted_until < now() and ${hasListener(sql`stream_head.tenant_id`, LISTENER)}`,
  since: sql`wanted_until`,
}

/**
 * Stops noting the changes of tenants for whom no stream was open in the last day. Those past the
 * thousand of one call come with the next.
 */
export async function endUnwantedStreams(pass: TenantPass): Promise<void> {
  const { db } = pass
  await workByTenant(pass, UNWANTED, HEADS_MAX, (tenantId) =>
    inTransaction(db, async (tx) => {
      // Locked, so that a stream which opens meanwhile keeps its listener.
      const unwanted = await sql`
        select from stream_head where tenant_id = ${tenantId} and ${UNWANTED.isDue}
        for update skip locked`.execute(tx)
      if (unwanted.rows.length > 0) await removeListener(tx, { tenantId }, LISTENER)
      return unwanted.rows.length
    }),
  )
}
