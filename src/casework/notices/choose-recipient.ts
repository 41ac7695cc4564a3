// Chooses to whom a notice goes: a contact of the customer, else of its reseller; or a reporter, if
// his address is proven and no program wrote to us in his name (RFC 3834).

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { CUSTOMER_TABLE, findOwner, type OwnerContact } from '../owners/owner-store.ts'

export interface Recipient {
  readonly address: string
  /** Null: not known. */
  readonly language: string | null
  /** Why nothing may be sent to the address; null when it may. */
  readonly obstacle: 'sender_not_proven' | 'automatic_mail' | null
  /** The Message-ID of the mail that the notice answers, without angle brackets. */
  readonly answers: string | null
}

const CONTACT_PURPOSE = 'abuse'
// As many as a chain of resellers may have.
const PARENTS_MAX = 16

/** Null when neither the customer nor one of its resellers has a contact that works. */
export async function findContact(
  db: Db,
  scope: TenantScope,
  customerId: string,
  purpose: string = CONTACT_PURPOSE,
): Promise<Recipient | null> {
  let id: string | null = customerId
  for (let level = 0; level <= PARENTS_MAX && id !== null; level += 1) {
    // One level after the other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const customer = await findOwner(db, scope, CUSTOMER_TABLE, id)
    const contact = chooseContact(customer?.contacts ?? [], purpose)
    if (contact !== null) {
      const { email: address, language = null } = contact
      return { address, language, obstacle: null, answers: null }
    }
    id = customer?.parent_customer_id ?? null
  }
  return null
}

/** That of the purpose, else one without a purpose, else any. */
function chooseContact(contacts: readonly OwnerContact[], purpose: string): OwnerContact | null {
  const active = contacts.filter(({ state }) => state === 'active')
  return (
    active.find((one) => one.purpose?.toLowerCase() === purpose.toLowerCase()) ??
    active.find((one) => one.purpose === undefined) ??
    active[0] ??
    null
  )
}

// As it may stand in a header of ours; another one is left out, and the mail begins a thread.
const MESSAGE_ID = /^[!-;=?-~]{1,250}$/
// Headers are at the begin of a mail.
const HEADER_BYTES = 32_768
const AUTOMATIC =
  /^(?:auto-submitted:(?!\s*no\b)|precedence:\s*(?:bulk|junk|list|auto_reply)|x-auto-response-suppress:|list-id:)/im
const ERASED = '%@erased.invalid'

interface ReportingMail {
  readonly address: string
  readonly isMail: boolean
  readonly messageId: string | null
  readonly envelopeFrom: string | null
  readonly dmarc: string | null
  readonly head: Buffer | null
}

/** The reporter of the newest event of the case, or this one; null when the case has none. */
export async function findReporter(
  db: Db,
  { tenantId }: TenantScope,
  caseId: string,
  address: string | null,
): Promise<Recipient | null> {
  const found = await sql<ReportingMail>`
    select event.sender_email as address, coalesce(report.is_mail, report.via is not null and report.via in ('smtp', 'lmtp', 'imap')) as "isMail",
      report.message_id as "messageId", report.envelope_from as "envelopeFrom",
      report.authentication -> 'dmarc' ->> 'result' as dmarc, substring(report_raw.bytes from 1 for ${HEADER_BYTES}) as head
    from event
    left join report on report.tenant_id = event.tenant_id and report.id = event.report_id
    left join report_raw on report_raw.tenant_id = report.tenant_id and report_raw.sha256 = report.sha256
    where event.tenant_id = ${tenantId} and event.case_id = ${caseId} and event.sender_email not like ${ERASED}
      and (${address}::text is null or lower(event.sender_email) = lower(${address}))
    order by event.event_date desc, event.event_id desc limit 1`.execute(db)
  const [mail] = found.rows
  if (mail === undefined) return null
  const messageId = mail.messageId?.replaceAll(/[<>\s]/g, '') ?? ''
  return {
    address: mail.address,
    language: null,
    obstacle: findObstacle(mail),
    answers: MESSAGE_ID.test(messageId) ? messageId : null,
  }
}

function findObstacle({ isMail, envelopeFrom, dmarc, head }: ReportingMail): Recipient['obstacle'] {
  if (!isMail) return null
  if (envelopeFrom === '') return 'automatic_mail'
  const text = head?.toString('latin1') ?? ''
  const end = text.search(/\r?\n\r?\n/)
  if (AUTOMATIC.test(end < 0 ? text : text.slice(0, end))) return 'automatic_mail'
  // Without a check nothing is known against it; with one, a forged sender must not get our mail.
  return dmarc === null || dmarc === 'pass' ? null : 'sender_not_proven'
}
