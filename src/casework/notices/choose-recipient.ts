// Chooses to whom a notice goes: a contact of the customer, else of its reseller; or a reporter, if
// his address is proven and no program wrote to us in his name (RFC 3834).

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { chooseEventMonths } from '../../kernel/db/months/event-months.ts'
import { writeTexts } from '../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { type CustomerRow, findCustomers, type OwnerContact } from '../owners/owner-store.ts'
import { sqlWithoutTag } from './notice-view-store.ts'

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

export interface ContactQuestion {
  readonly customerId: string
  /** Of the contact; abuse when null. */
  readonly purpose: string | null
}

/**
 * In the order of the questions; null when neither the customer nor one of its resellers has a
 * contact that works.
 */
export async function findContacts(
  db: Db,
  scope: TenantScope,
  questions: readonly ContactQuestion[],
): Promise<readonly (Recipient | null)[]> {
  const found = questions.map((): Recipient | null => null)
  let asked = questions.map((question, at) => ({ ...question, at }))
  for (let level = 0; level <= PARENTS_MAX && asked.length > 0; level += 1) {
    const ids = [...new Set(asked.map(({ customerId }) => customerId))]
    // One level after the other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const customers = await findCustomers(db, scope, ids)
    asked = asked.flatMap((question) => {
      const { at, customerId, purpose } = question
      const customer = customers.get(customerId)
      const contact = chooseContact(customer?.contacts ?? [], purpose ?? CONTACT_PURPOSE)
      if (contact === null) return askParent(question, customer)
      const { email: address, language = null } = contact
      found[at] = { address, language, obstacle: null, answers: null }
      return []
    })
  }
  return found
}

function askParent<Question extends ContactQuestion>(
  question: Question,
  customer: CustomerRow | undefined,
): readonly Question[] {
  const customerId = customer?.parent_customer_id ?? null
  return customerId === null ? [] : [{ ...question, customerId }]
}

/** A contact of the purpose, else one without a purpose, else any; active ones only. */
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
// Longer headers are not read to their end.
const HEADER_BYTES = 32_768
const AUTOMATIC =
  /^(?:auto-submitted:(?!\s*no\b)|precedence:\s*(?:bulk|junk|list|auto_reply)|x-auto-response-suppress:|list-id:)/im
const ERASED = '%@erased.invalid'

interface ReportingMail {
  /** Of the question, from 1. */
  readonly at: number
  readonly address: string
  readonly isMail: boolean
  readonly messageId: string | null
  readonly envelopeFrom: string | null
  readonly dmarc: string | null
  readonly head: Buffer | null
}

export interface ReporterQuestion {
  readonly caseId: string
  /** Null: the reporter of the newest event. */
  readonly address: string | null
}

/**
 * In the order of the questions; null when the case has no such reporter. An address with another
 * tag (name+tag@) is the same reporter, and the recipient is the address that he reported from.
 */
export async function findReporters(
  db: Db,
  scope: TenantScope,
  questions: readonly ReporterQuestion[],
): Promise<readonly (Recipient | null)[]> {
  if (questions.length === 0) return []
  const { tenantId } = scope
  const cases = new Set(questions.map(({ caseId }) => caseId))
  const months = await chooseEventMonths(db, scope, 'case', [...cases])
  const found = await sql<ReportingMail>`
    select given.at::integer, mail.* from unnest(${writeTexts(questions.map(({ caseId }) => caseId))}::text[],
      ${writeTexts(questions.map(({ address }) => address))}::text[]) with ordinality as given (case_id, address, at)
    cross join lateral (
      select event.sender_email as address, coalesce(report.is_mail, report.via is not null and report.via in ('smtp', 'lmtp', 'imap')) as "isMail",
        report.message_id as "messageId", report.envelope_from as "envelopeFrom",
        report.authentication -> 'dmarc' ->> 'result' as dmarc, substring(report_raw.bytes from 1 for ${HEADER_BYTES}) as head
      from event
      left join report on report.tenant_id = event.tenant_id and report.id = event.report_id
      left join report_raw on report_raw.tenant_id = report.tenant_id and report_raw.sha256 = report.sha256
      where event.tenant_id = ${tenantId} and event.case_id = given.case_id and event.sender_email not like ${ERASED}
        and ${months}
        and (given.address is null or ${sqlWithoutTag('event.sender_email')} = ${sqlWithoutTag('given.address')})
      order by coalesce(lower(event.sender_email) = lower(given.address), true) desc, event.event_date desc, event.event_id desc limit 1
    ) as mail`.execute(db)
  const mails = new Map(found.rows.map((mail) => [mail.at, mail]))
  return questions.map((_, at) => readRecipient(mails.get(at + 1)))
}

function readRecipient(mail: ReportingMail | undefined): Recipient | null {
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
  // Without a check nothing speaks against the sender; with one, a forged sender must not get our
  // mail.
  return dmarc === null || dmarc === 'pass' ? null : 'sender_not_proven'
}
