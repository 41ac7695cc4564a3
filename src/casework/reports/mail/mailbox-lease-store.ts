// SQL of the lease of a mailbox, so that one node at a time pulls it (migration 0008). The database
// clock decides, because the clocks of nodes differ.

import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

/** Takes or renews the lease for `seconds`. False while another holder has it. */
export async function leaseMailbox(
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
