// SQL of imported abuse contacts of address ranges and domains, each under its source. An address
// is stored as a range of one.

import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, seeTables, type Tx } from '../../kernel/db/database.ts'
import { parseSubject } from '../../values/range.ts'
import { CONTACT_SOURCE_KIND } from '../facts/source-kinds.ts'
import {
  type ContactStatement,
  type StagedContacts,
  stageContacts,
} from '../sources/push/staged-contacts.ts'
import { ensureHeardSources } from '../sources/source-store.ts'
import type { ContactCounts, SubjectContact } from './contact-index.ts'

interface ContactTables {
  contact_serial: { id: number; serial: number; check_serial: number }
}

/** `serial` grows with every change of a contact, `checkSerial` with every change of a status. */
export interface ContactSerials {
  readonly serial: number
  readonly checkSerial: number
}

export async function readContactSerials(db: Db): Promise<ContactSerials> {
  const row = await seeTables<ContactTables>(db)
    .selectFrom('contact_serial')
    .select(['serial', 'check_serial'])
    .executeTakeFirstOrThrow()
  return { serial: row.serial, checkSerial: row.check_serial }
}

/**
 * The number of contacts of each kind of subject, at most `countMax` each. Several sources of one
 * subject count several times.
 */
export async function countContacts(db: Db, countMax: number): Promise<ContactCounts> {
  const { rows } = await sql<{ ipv4: number; ipv6: number; domains: number }>`
    select
      count(*) filter (where range not like '%:%') as ipv4,
      count(*) filter (where range like '%:%') as ipv6,
      (select count(*) from contact_domain) as domains
    from contact_range`.execute(db)
  const { ipv4 = 0, ipv6 = 0, domains = 0 } = rows[0] ?? {}
  return {
    ipv4: Math.min(ipv4, countMax),
    ipv6: Math.min(ipv6, countMax),
    domains: Math.min(domains, countMax),
  }
}

// Rows read at once before other requests are served: about 1 ms of work.
const PAGE_ROWS = 250

/**
 * One contact for each subject, from its latest statement, page by page until `take` gives false.
 * Uses a cursor: without statistics after an import, a query for each page would read the whole
 * table each time. Changes during the reading may be missed; the serial read before then shows that
 * it must be repeated.
 */
export async function readContacts(
  db: Db,
  take: (page: readonly SubjectContact[]) => boolean,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      declare contact_cursor no scroll cursor for
      (select distinct on (range) range as subject, email from contact_range
        order by range, updated_at desc, source)
      union all
      (select distinct on (domain) domain, email from contact_domain
        order by domain, updated_at desc, source)`.execute(tx)
    // Ends with the first page that is not full.
    for (;;) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      const { rows } = await sql<{ subject: string; email: string }>`
        fetch ${sql.lit(PAGE_ROWS)} from contact_cursor`.execute(tx)
      const page = rows.flatMap(({ subject, email }) => {
        const parsed = parseSubject(subject)
        return parsed.kind === 'subject' ? [{ subject: parsed.subject, email }] : []
      })
      if (!take(page) || rows.length < PAGE_ROWS) return
    }
  })
}

/** Stores contacts as `putStagedContacts` does. */
export async function putContacts(db: Db, statements: readonly ContactStatement[]): Promise<void> {
  await putStagedContacts(db, stageContacts(statements))
}

/**
 * Stores all statements in one transaction. Of two about one subject and source the later counts.
 * Statements that are known already change nothing, not even the serial.
 */
export async function putStagedContacts(
  db: Db,
  { ranges, domains, sources }: StagedContacts,
): Promise<void> {
  if (ranges === null && domains === null) return
  await inTransaction(db, async (tx) => {
    await ensureHeardSources(tx, CONTACT_SOURCE_KIND, sources)
    const changed =
      (await putInto(tx, CONTACT_RANGE, ranges)) + (await putInto(tx, CONTACT_DOMAIN, domains))
    if (changed > 0) await raiseContactSerial(tx)
  })
}

/** The last act of every change of contacts. */
export async function raiseContactSerial(tx: Tx): Promise<void> {
  await seeTables<ContactTables>(tx)
    .updateTable('contact_serial')
    .set((eb) => ({ serial: eb('serial', '+', 1) }))
    .execute()
}

interface ContactTable {
  readonly table: RawBuilder<unknown>
  readonly key: RawBuilder<unknown>
}

const CONTACT_RANGE: ContactTable = { table: sql.table('contact_range'), key: sql.ref('range') }
const CONTACT_DOMAIN: ContactTable = { table: sql.table('contact_domain'), key: sql.ref('domain') }

/** The number of changed rows. */
async function putInto(
  tx: Tx,
  { table, key }: ContactTable,
  columns: StagedContacts['ranges'],
): Promise<number> {
  if (columns === null) return 0
  const { subjects, emails, sources } = columns
  // In the order of the keys, so that two imports lock rows in the same order.
  const latest = sql`
    select distinct on (subject, source) subject, email, source
    from unnest(${subjects}::text[], ${emails}::text[], ${sources}::text[])
      with ordinality as given (subject, email, source, arrival)
    order by subject, source, arrival desc`
  const withdrawn = await sql`
    delete from ${table} where (${key}, source) in (
      select subject, source from (${latest}) as latest where email is null)`.execute(tx)
  const given = await sql`
    insert into ${table} as present (${key}, email, source)
    select subject, email, source from (${latest}) as latest where email is not null
    on conflict (${key}, source) do update set email = excluded.email, updated_at = now()
    where present.email <> excluded.email`.execute(tx)
  return Number((withdrawn.numAffectedRows ?? 0n) + (given.numAffectedRows ?? 0n))
}
