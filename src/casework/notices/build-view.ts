// Builds what a template sees of a case: only the variables of its profile, with links and names
// defanged. template-variables.ts has the list.

import { emailWithoutTag } from '../../values/email.ts'
import type { RedactionProfile } from './notice.ts'
import type { ShownCase, ShownEvent } from './notice-view-store.ts'
import { defang } from './template-engine.ts'
import { SHOWN_VARIABLES } from './template-variables.ts'

interface DigestItem {
  readonly subject: string
  readonly text: string
  /** Its evidence is not part of the digest, so the mail says that there is some. */
  readonly has_evidence: boolean
}

/** What a notice tells beside its case. */
export interface NoticeContent {
  /** What a person or a playbook adds. */
  readonly text: string
  readonly vars: Readonly<Record<string, unknown>>
  /** Of a statement of reasons: restriction, ground, facts and the like. */
  readonly reasons: Readonly<Record<string, unknown>>
  readonly now: Date
  readonly digest: readonly DigestItem[]
  /** Where no case names the tenant. */
  readonly providerName?: string
}

export type View = Readonly<Record<string, unknown>>

// A URL of a report may hold the address of a trap or of a reporter, behind `=` and encoded.
const ADDRESS_IN_TEXT =
  /(?<![\w.+-])[\w.+-]{1,64}(?:@|%40| ?[([{]at[)\]}] ?)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gi
const REMOVED = '[removed]'

export function buildView(
  profile: RedactionProfile,
  one: ShownCase | null,
  events: readonly ShownEvent[],
  content: NoticeContent,
): View {
  const newest = events.map((event) => pick(presentEvent(event), SHOWN_VARIABLES[profile]['event']))
  const all: View = {
    vars: content.vars,
    reasons: content.reasons,
    now: content.now,
    text: content.text,
    provider: { name: one?.tenantName ?? content.providerName ?? '' },
    digest: { notices: content.digest },
    case: pick(presentCase(one), SHOWN_VARIABLES[profile]['case']),
    event: newest[0] ?? pick(presentEvent(NO_EVENT), SHOWN_VARIABLES[profile]['event']),
    events: { newest, count: one?.eventCount ?? 0 },
    customer: { id: one?.customerId ?? '', name: one?.customerName ?? '' },
    report: { id: events[0]?.reportId ?? '' },
  }
  return pick(all, Object.keys(SHOWN_VARIABLES[profile]))
}

function pick(members: View, shown: readonly string[] | string | undefined): View {
  const names = Array.isArray(shown) ? shown : []
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)))
}

function presentCase(one: ShownCase | null): View {
  return {
    id: one?.id ?? '',
    state: one?.state ?? '',
    case_group: one?.caseGroup ?? '',
    severity: one?.severity ?? '',
    resolution: one?.resolution ?? '',
    close_reason: one?.closeReason ?? '',
    contract_id: one?.contractId ?? '',
    event_count: one?.eventCount ?? 0,
    event_types: one?.eventTypes ?? [],
    event_ips: one?.eventIps ?? [],
    event_reporters: one?.eventReporters ?? [],
    created_at: one?.createdAt ?? '',
    first_event_date: one?.firstEventDate ?? '',
    last_event_date: one?.lastEventDate ?? '',
    deadline_at: one?.deadlineAt ?? null,
  }
}

const NO_EVENT: ShownEvent = {
  eventId: '',
  eventType: '',
  eventDate: new Date(0),
  ip: null,
  domain: null,
  url: null,
  senderEmail: '',
  reportId: null,
}

function presentEvent(event: ShownEvent): View {
  return {
    event_id: event.eventId,
    event_type: event.eventType,
    event_date: event.eventDate,
    ip: event.ip ?? '',
    domain: defang(event.domain ?? ''),
    url: defang((event.url ?? '').replaceAll(ADDRESS_IN_TEXT, REMOVED)),
    sender_email: event.senderEmail,
  }
}

/** The addresses in a text, in lower case. */
export function listAddresses(text: string): readonly string[] {
  return [...new Set([...text.matchAll(ADDRESS_IN_TEXT)].map(([one]) => normalize(one)))]
}

/**
 * The text without these addresses, given in lower case, and without those that add a tag to one.
 */
export function removeAddresses(text: string, addresses: ReadonlySet<string>): string {
  const isHidden = (address: string): boolean =>
    addresses.has(address) || addresses.has(emailWithoutTag(address))
  return text.replaceAll(ADDRESS_IN_TEXT, (one) => (isHidden(normalize(one)) ? REMOVED : one))
}

function normalize(address: string): string {
  return address.replace(/%40| ?[([{]at[)\]}] ?/i, '@').toLowerCase()
}
