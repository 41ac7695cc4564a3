// SQL of own networks: the address ranges that the operator runs, by source. They are few and read
// as a whole, so they have a serial of their own and no place in the change log.

import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Database, Db } from '../../../kernel/db/database.ts'
import { seeTransaction } from '../../../kernel/db/see-transaction.ts'
import { textArray } from '../../../kernel/db/sql-array.ts'
import { readErrorCode } from '../../../kernel/db/trouble-codes.ts'
import { tooManyNetworks } from '../../errors.ts'
import { NETWORK_SOURCE_KIND } from '../../facts/source-kinds.ts'
import type { CountedEntryStore, RecordRemoval } from '../entries/entry-store.ts'
import { noteSync } from '../history/source-history-store.ts'
import { STAGED_STATEMENTS } from '../push/merge-staged.ts'
import { integerArray, stageStatements } from '../push/push-store.ts'
import type { Replaced } from '../push/replace-store.ts'
import type { StagedRows } from '../push/staged-rows.ts'
import { ensureSources } from '../source-store.ts'

const STAGED = STAGED_STATEMENTS.name

type Stores = Pick<Database, 'kysely' | 'pool'>

/** Every thread holds all of them, some 30 bytes each. */
const NETWORKS_MAX = 100_000

const RETRY_CODES = new Set(['40001', '40P01'])
const ATTEMPTS_MAX = 5

/** Adds ranges to sources, or takes them off where a row says inactive. True when one changed. */
export async function pushNetworks(stores: Stores, staged: StagedRows): Promise<boolean> {
  const sourceIds = integerArray(await ensureSources(stores.kysely, staged.sources))
  return await inChange(stores, async (client) => {
    await stageStatements(client, staged)
    const removed = await client.query(
      `delete from own_network as known using ${STAGED} as staged
      where known.source_id = ($1::integer[])[staged.source_no]
        and known.subject = staged.subject and not staged.is_active`,
      [sourceIds],
    )
    const added = await client.query(
      `insert into own_network (source_id, subject)
      select ($1::integer[])[source_no] as source_id, subject from ${STAGED} where is_active
      order by 1, 2
      on conflict (source_id, subject) do nothing`,
      [sourceIds],
    )
    return (removed.rowCount ?? 0) + (added.rowCount ?? 0)
  })
}

export interface NetworkReplacement {
  readonly source: string
  readonly staged: StagedRows
  readonly mayShrink: boolean
}

/** As `replaceStatements`: a whole list in one change, or nothing. */
export async function replaceNetworks(
  stores: Stores,
  { source, staged, mayShrink }: NetworkReplacement,
): Promise<Replaced> {
  const wanted = { kind: NETWORK_SOURCE_KIND, name: source }
  const [sourceId = 0] = await ensureSources(stores.kysely, [wanted])
  let result: Replaced = { kind: 'replaced', removed: 0, isChange: false }
  const isChange = await inChange(stores, async (client) => {
    await client.query('select id from intel_source where id = $1 for update', [sourceId])
    await stageStatements(client, staged)
    const { rows } = await client.query<{ before: number; after: number }>(
      `select (select count(*) from own_network where source_id = $1) as before,
        (select count(*) from ${STAGED}) as after`,
      [sourceId],
    )
    const { before = 0, after = 0 } = rows[0] ?? {}
    if (!mayShrink && after * 2 < before) {
      result = { kind: 'shrank', before, after }
      return 0
    }
    const removed = await client.query(
      `delete from own_network where source_id = $1
        and subject not in (select subject from ${STAGED})`,
      [sourceId],
    )
    const added = await client.query(
      `insert into own_network (source_id, subject) select $1, subject from ${STAGED}
      on conflict (source_id, subject) do nothing`,
      [sourceId],
    )
    const counts = { added: added.rowCount ?? 0, removed: removed.rowCount ?? 0 }
    result = { kind: 'replaced', removed: counts.removed, isChange: false }
    await noteSync(seeTransaction(client), { sourceId, entries: after, ...counts })
    return counts.added + counts.removed
  })
  return result.kind === 'replaced' ? { ...result, isChange } : result
}

/**
 * Runs `work`, which gives the number of changed rows, in a transaction. True when there were some.
 */
async function inChange(
  { pool }: Pick<Stores, 'pool'>,
  work: (client: PoolClient) => Promise<number>,
  record: RecordRemoval = async () => undefined,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const changes = await work(client)
      if (changes > 0) {
        const { rows } = await client.query<{ count: number }>(
          'select count(*) as count from own_network',
        )
        if ((rows[0]?.count ?? 0) > NETWORKS_MAX) throw tooManyNetworks(NETWORKS_MAX)
        await client.query('update own_network_serial set serial = serial + 1')
      }
      await record(seeTransaction(client), changes)
      await client.query('commit')
      client.release()
      return changes > 0
    } catch (error) {
      // A connection in the middle of a COPY cannot be used again.
      client.release(true)
      if (attempt >= ATTEMPTS_MAX || !RETRY_CODES.has(readErrorCode(error) ?? '')) throw error
    }
  }
}

export async function readNetworkSerial(db: Db): Promise<number> {
  const { rows } = await sql<{ serial: number }>`select serial from own_network_serial`.execute(db)
  return rows[0]?.serial ?? 0
}

/** Every own range once, whichever sources name it. */
export async function listNetworks(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ subject: string }>`
    select distinct subject from own_network limit ${NETWORKS_MAX}`.execute(db)
  return rows.map(({ subject }) => subject)
}

export interface NetworkEntriesDeps extends Stores {
  /** Reads the own networks anew. */
  readonly refreshNetworks: () => Promise<void>
}

export function createNetworkEntries(deps: NetworkEntriesDeps): CountedEntryStore {
  const { kysely: db, refreshNetworks } = deps
  const show = (): Promise<void> => refreshNetworks().catch(() => undefined)
  return {
    kind: NETWORK_SOURCE_KIND,
    async count() {
      const { rows } = await sql<{ name: string; count: number }>`
        select name, count(*) as count from own_network join intel_source on id = source_id
        group by name`.execute(db)
      return new Map(rows.map(({ name, count }) => [name, count]))
    },
    async list({ id }, { after, limit }) {
      const { rows } = await sql<{ subject: string }>`
        select subject from own_network
        where source_id = ${id} and subject > ${after?.subject ?? ''}
        order by subject limit ${limit}`.execute(db)
      return rows.map(({ subject }) => ({ subject, part: '' }))
    },
    async findAmong({ id }, subjects) {
      const { rows } = await sql<{ subject: string }>`
        select subject from unnest(${textArray(subjects)}::text[]) with ordinality as wanted (subject, at)
        where exists (
          select from own_network as known
          where known.source_id = ${id} and known.subject = wanted.subject
        )
        order by at`.execute(db)
      return rows.map(({ subject }) => subject)
    },
    async delist({ id }, { text }, record) {
      let removed = 0
      const work = async (client: PoolClient): Promise<number> => {
        const { rowCount } = await client.query(
          'delete from own_network where source_id = $1 and subject = $2',
          [id, text],
        )
        removed = rowCount ?? 0
        return removed
      }
      await inChange(deps, work, async (tx, changes) => {
        if (changes > 0) await record(tx, changes)
      })
      await show()
      return removed
    },
    async remove({ id }, record) {
      const work = async (client: PoolClient): Promise<number> => {
        await client.query('select id from intel_source where id = $1 for update', [id])
        const { rowCount } = await client.query('delete from own_network where source_id = $1', [
          id,
        ])
        await client.query('delete from intel_source where id = $1', [id])
        return rowCount ?? 0
      }
      await inChange(deps, work, record)
      await show()
    },
  }
}
