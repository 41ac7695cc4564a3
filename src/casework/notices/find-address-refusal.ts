// Why nothing is sent to an address: it is on the list of the tenant, it would come back to us, or
// a program reads it (RFC 3834 section 2). It keeps two programs from answering each other.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { writeTexts } from '../../kernel/db/write-arrays.ts'
import { emailDomain } from '../../values/email.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { MailIdentity } from './mail-identity.ts'
import type { NoticeParty } from './notice.ts'
import { findSuppressed } from './suppression-store.ts'

export type AddressRefusal = 'own_address' | 'system_address' | 'on_list'

const MAILER = /^(?:mailer-daemon|mailerdaemon|nobody)$/
// Addresses of mailing lists (RFC 2142 section 6) and the usual programs. They are allowed where a
// person names the address (party `other`).
const PROGRAM =
  /^(?:owner-.+|.+-(?:request|owner|bounces)|bounces?|listserv|listproc|majordomo|mailman|sympa|no-?reply|do-?not-?reply|donotreply)$/

export interface AddressQuestion {
  readonly recipient: string
  readonly party: NoticeParty
}

/** Null when the address may get mail. */
export async function findAddressRefusal(
  db: Db,
  scope: TenantScope,
  mail: MailIdentity | null,
  question: AddressQuestion,
): Promise<AddressRefusal | null> {
  const [refusal = null] = await findAddressRefusals(db, scope, mail, [question])
  return refusal
}

/** In the order of the questions. */
export async function findAddressRefusals(
  db: Db,
  scope: TenantScope,
  mail: MailIdentity | null,
  questions: readonly AddressQuestion[],
): Promise<readonly (AddressRefusal | null)[]> {
  const recipients = [...new Set(questions.map(({ recipient }) => recipient))]
  const own = await findReportAddresses(db, recipients)
  const suppressed = await findSuppressed(db, scope, recipients)
  return questions.map(({ recipient, party }) => {
    const local = readLocalPart(recipient)
    if (MAILER.test(local) || (party !== 'other' && PROGRAM.test(local))) return 'system_address'
    if (isSender(mail, recipient) || own.has(recipient)) return 'own_address'
    return suppressed.has(recipient) ? 'on_list' : null
  })
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

/** Those of the recipients that take report mail for any tenant: mail loops may cross tenants. */
async function findReportAddresses(
  db: Db,
  recipients: readonly string[],
): Promise<ReadonlySet<string>> {
  if (recipients.length === 0) return new Set()
  const asked = new Map(recipients.map((one) => [one, listForms(one)]))
  const forms = [...new Set([...asked.values()].flat())]
  const found = await sql<{ address: string }>`
    select distinct address from report_address where address = any(${writeTexts(forms)}::text[])`.execute(
    db,
  )
  const own = new Set(found.rows.map(({ address }) => address))
  return new Set(recipients.filter((one) => asked.get(one)?.some((form) => own.has(form))))
}

/** The spellings of a report address that would take mail to this recipient. */
function listForms(recipient: string): readonly string[] {
  const domain = emailDomain(recipient)
  return [recipient.toLowerCase(), `${readLocalPart(recipient)}@${domain}`, `*@${domain}`]
}
