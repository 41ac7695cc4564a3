// SQL of who pulls a mailbox: one node at a time (migration 0008). The time is the database's,
// since nodes' clocks differ.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

/**
 * True when `holder` has the mailbox for so many seconds from now on; false while another one has
 * it.
 */
export async function holdMailbox(
  db: Db,
  mailbox: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const result = await sql`
    insert into mailbox_lease (mailbox, holder, expires_at)
    values (${mailbox}, ${holder}, now() + make_interval(secs => ${seconds}))
    on conflict (mailbox) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where mailbox_lease.holder = excluded.holder or mailbox_lease.expires_at < now()`.execute(db)
  return result.numAffectedRows === 1n
}

export async function releaseMailbox(db: Db, mailbox: string, holder: string): Promise<void> {
  await sql`delete from mailbox_lease where mailbox = ${mailbox} and holder = ${holder}`.execute(db)
}
