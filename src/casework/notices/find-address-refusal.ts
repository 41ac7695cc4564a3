// Why nothing is sent to an address: it is on the list of the tenant, it would come back to us, or
// a program reads it (RFC 3834 section 2). It keeps two programs from answering each other.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { emailDomain } from '../../values/email.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { MailIdentity } from './mail-identity.ts'
import type { NoticeParty } from './notice.ts'
import { isSuppressed } from './suppression-store.ts'

export type AddressRefusal = 'own_address' | 'system_address' | 'on_list'

const MAILER = /^(?:mailer-daemon|mailerdaemon|nobody)$/
// Those of lists: RFC 2142 section 6, and the usual programs. A person may name one of them.
const PROGRAM =
  /^(?:owner-.+|.+-(?:request|owner|bounces)|bounces?|listserv|listproc|majordomo|mailman|sympa|no-?reply|do-?not-?reply|donotreply)$/

/** Null when the address may get mail. */
export async function findAddressRefusal(
  db: Db,
  scope: TenantScope,
  mail: MailIdentity | null,
  { recipient, party }: { readonly recipient: string; readonly party: NoticeParty },
): Promise<AddressRefusal | null> {
  const local = readLocalPart(recipient)
  if (MAILER.test(local) || (party !== 'other' && PROGRAM.test(local))) return 'system_address'
  if (isSender(mail, recipient) || (await isReportAddress(db, recipient))) return 'own_address'
  return (await isSuppressed(db, scope, recipient)) ? 'on_list' : null
}

/** Without the tag behind a plus, in lower case. */
function readLocalPart(address: string): string {
  return address.slice(0, address.lastIndexOf('@')).replace(/\+.*$/s, '').toLowerCase()
}

/** The sender of our mail, and where answers and bounces come back. */
function isSender(mail: MailIdentity | null, recipient: string): boolean {
  if (mail === null) return false
  const local = readLocalPart(recipient)
  const domain = emailDomain(recipient)
  const isFrom = local === readLocalPart(mail.from.address)
  if (isFrom && domain === emailDomain(mail.from.address)) return true
  return domain === mail.domain.toLowerCase() && (isFrom || local === 'bounce')
}

/** Of any tenant: the loop does not end at its border. */
async function isReportAddress(db: Db, recipient: string): Promise<boolean> {
  const domain = emailDomain(recipient)
  const asked = [recipient.toLowerCase(), `${readLocalPart(recipient)}@${domain}`, `*@${domain}`]
  const found = await sql`
    select from report_address where address = any(${asked}::text[]) limit 1`.execute(db)
  return found.rows.length > 0
}
