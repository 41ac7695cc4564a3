// SQL of abuse contacts by their source: read back, counted, and removed. A removal of a source and
// a push to it lock the row of the source first, so that no contact is left without its source.

import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import type { Subject } from '../../values/range.ts'
import { CONTACT_SOURCE_KIND } from '../facts/source-kinds.ts'
import type { CountedEntryStore, EntryPage, SourceEntry } from '../sources/entries/entry-store.ts'
import { deleteSourceRow, lockSource } from '../sources/source-store.ts'
import { raiseContactSerial, readContactSerials } from './contact-store.ts'

interface ContactRecord {
  readonly subject: string
  readonly email: string
}

export interface ContactEntriesDeps {
  readonly db: Db
  /** Reads the imported contacts anew. */
  readonly refreshContacts: () => Promise<void>
}

export function createContactEntries({
  db,
  refreshContacts,
}: ContactEntriesDeps): CountedEntryStore {
  const count = createCount(db)
  // The change is durable. When reading it back fails, the call has still succeeded and the next
  // poll reads it.
  const show = (): Promise<void> => refreshContacts().catch(() => undefined)
  return {
    kind: CONTACT_SOURCE_KIND,
    count,
    list: ({ name }, page) => listContacts(db, name, page),
    async findAmong({ name }, subjects) {
      const { rows } = await sql<{ subject: string }>`
        select wanted.subject
        from unnest(${textArray(subjects)}::text[]) with ordinality as wanted (subject, at)
        where exists (select from contact_range where range = wanted.subject and source = ${name})
          or exists (select from contact_domain where domain = wanted.subject and source = ${name})
        order by at`.execute(db)
      return rows.map(({ subject }) => subject)
    },
    async delist({ name }, subject, record) {
      const removed = await inTransaction(db, async (tx) => {
        const entries = await removeContact(tx, name, subject)
        if (entries > 0) await record(tx, entries)
        return entries
      })
      if (removed > 0) await show()
      return removed
    },
    async remove({ id, name }, record) {
      await inTransaction(db, async (tx) => {
        if (!(await lockSource(tx, id))) return
        const ranges = await sql`delete from contact_range where source = ${name}`.execute(tx)
        const domains = await sql`delete from contact_domain where source = ${name}`.execute(tx)
        await deleteSourceRow(tx, id)
        await raiseContactSerial(tx)
        await record(
          tx,
          Number(ranges.numAffectedRows ?? 0n) + Number(domains.numAffectedRows ?? 0n),
        )
      })
      await show()
    },
  }
}

async function listContacts(
  db: Db,
  source: string,
  { after, limit }: EntryPage,
): Promise<readonly SourceEntry[]> {
  // No text begins before the empty one, and no subject is empty.
  const from = after?.subject ?? ''
  const { rows } = await sql<ContactRecord>`
    (select range as subject, email from contact_range where source = ${source} and range > ${from}
      order by range limit ${limit})
    union all
    (select domain, email from contact_domain where source = ${source} and domain > ${from}
      order by domain limit ${limit})
    order by subject limit ${limit}`.execute(db)
  return rows.map(({ subject, email }) => ({ subject, part: '', email }))
}

async function removeContact(tx: Tx, source: string, { kind, text }: Subject): Promise<number> {
  const deleted =
    kind === 'domain'
      ? await sql`delete from contact_domain where domain = ${text} and source = ${source}`.execute(
          tx,
        )
      : await sql`delete from contact_range where range = ${text} and source = ${source}`.execute(
          tx,
        )
  const removed = Number(deleted.numAffectedRows ?? 0n)
  if (removed > 0) await raiseContactSerial(tx)
  return removed
}

/** Counts anew after a change of a contact only: it reads all of them. */
function createCount(db: Db): CountedEntryStore['count'] {
  let known: { readonly serial: number; readonly counts: ReadonlyMap<string, number> } | null = null
  return async () => {
    const { serial } = await readContactSerials(db)
    if (known?.serial === serial) return known.counts
    const { rows } = await sql<{ source: string; count: number }>`
      select source, count(*) as count
      from (select source from contact_range union all select source from contact_domain) as contact
      group by source`.execute(db)
    known = { serial, counts: new Map(rows.map(({ source, count }) => [source, count])) }
    return known.counts
  }
}
