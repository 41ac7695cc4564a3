// How well the made-up mails were read: precision, recall and F1 of each field, who was blamed
// wrongly, and what was made of mails that report nothing.

import type { ReadEvent, ReportResult } from '../src/reader/reading.ts'
import type { MadeUpMail } from './made-up-mails.ts'

const FIELDS = ['ip', 'url', 'domain', 'type', 'reporter', 'recipient', 'date'] as const
export type ScoredField = (typeof FIELDS)[number]

export interface FieldScore {
  readonly right: number
  readonly surplus: number
  readonly missing: number
}

export interface ReadingScore {
  readonly mails: number
  readonly fields: Readonly<Record<ScoredField, FieldScore>>
  /** Events about somebody whom the mail does not report. */
  readonly wrongEvents: number
  /** Mails with a bystander, and those that blame none of them and find what is reported. */
  readonly bystanders: { readonly mails: number; readonly right: number }
  /** Mails that report nothing, and those of which nothing was made. */
  readonly nothing: { readonly mails: number; readonly right: number }
  /** What went wrong, a line for each mail. */
  readonly faults: readonly string[]
}

export interface ReadMail {
  readonly mail: MadeUpMail
  readonly result: ReportResult
}

export function scoreReadings(read: readonly ReadMail[]): ReadingScore {
  const scores = read.map(scoreMail)
  const kinds = (kind: MadeUpMail['kind']) => scores.filter(({ mail }) => mail.kind === kind)
  return {
    mails: read.length,
    fields: Object.fromEntries(
      FIELDS.map((field) => [field, sum(scores.map(({ fields }) => fields[field]))]),
    ) as ReadingScore['fields'],
    wrongEvents: scores.reduce((total, { wrongEvents }) => total + wrongEvents, 0),
    bystanders: countRight(kinds('bystander')),
    nothing: countRight(kinds('nothing')),
    faults: scores.flatMap(({ mail, faults }) =>
      faults.length === 0 ? [] : [`${mail.file}, ${mail.name}: ${faults.join('; ')}`],
    ),
  }
}

function countRight(some: readonly MailScore[]): {
  readonly mails: number
  readonly right: number
} {
  return {
    mails: some.length,
    right: some.filter(({ blamesRightly }) => blamesRightly).length,
  }
}

/** F1 of a field; 1 where there was nothing to find and nothing was found. */
export function f1({ right, surplus, missing }: FieldScore): number {
  const all = 2 * right + surplus + missing
  return all === 0 ? 1 : (2 * right) / all
}

interface MailScore {
  readonly mail: MadeUpMail
  readonly fields: Readonly<Record<ScoredField, FieldScore>>
  readonly wrongEvents: number
  readonly blamesRightly: boolean
  readonly faults: readonly string[]
}

const NONE: FieldScore = { right: 0, surplus: 0, missing: 0 }

type FoundEvent = ReadEvent['event']

interface Targets {
  readonly ip: ReadonlySet<string>
  readonly url: ReadonlySet<string>
  readonly domain: ReadonlySet<string>
}

function scoreMail({ mail, result }: ReadMail): MailScore {
  const events = result.kind === 'report' ? result.events.map(({ event }) => event) : []
  const found = collectTargets(events)
  const fields = scoreFields(mail, events, found)
  const isInState = mail.states === null || mail.states.has(describeState(result))
  const blamesNobodyElse = ![...found.ip, ...found.domain].some((one) => mail.not.has(one))
  const isFound = fields.ip.missing === 0 && fields.url.missing === 0
  const isNothing = mail.kind === 'nothing'
  return {
    mail,
    fields,
    wrongEvents: isNothing ? events.length : events.filter((each) => isWrong(mail, each)).length,
    blamesRightly: isNothing ? events.length === 0 && isInState : blamesNobodyElse && isFound,
    faults: [
      ...describeTargets('ip', found.ip, mail.ip),
      ...describeTargets('url', found.url, mail.url),
      ...describeTargets('domain', found.domain, mail.domain),
      ...describeFields(mail, events, fields),
      ...(isInState ? [] : [`is ${describeState(result)}`]),
    ],
  }
}

function collectTargets(events: readonly FoundEvent[]): Targets {
  return {
    ip: new Set(events.flatMap(({ ip }) => ip ?? [])),
    url: new Set(events.flatMap(({ details }) => listUrls(details))),
    domain: new Set(events.flatMap(({ domain }) => domain ?? [])),
  }
}

function scoreFields(
  mail: MadeUpMail,
  events: readonly FoundEvent[],
  found: Targets,
): MailScore['fields'] {
  const reporters = events.map(({ senderEmail }) => senderEmail)
  const recipients = events.map(({ recipientEmail }) => recipientEmail)
  const dates = events.map(({ eventDate }) => eventDate)
  return {
    ip: compare(found.ip, mail.ip),
    url: compare(found.url, mail.url),
    domain: compare(found.domain, mail.domain),
    type: scoreType(mail, events),
    reporter: scoreOne(mail.reporter, mail, reporters),
    recipient: scoreOne(mail.recipient, mail, recipients),
    date: scoreDate(mail, dates),
  }
}

/** It names an address or a domain that the mail does not report. */
function isWrong(mail: MadeUpMail, { ip, domain }: FoundEvent): boolean {
  return (ip !== null && !mail.ip.has(ip)) || (domain !== null && !mail.domain.has(domain))
}

function describeFields(
  { types }: MadeUpMail,
  events: readonly FoundEvent[],
  fields: MailScore['fields'],
): readonly string[] {
  const [first] = events
  const faults: string[] = []
  if (fields.type.missing > 0 || fields.type.surplus > 0) {
    const found = [...new Set(events.map(({ eventType }) => eventType))].join(' ') || 'none'
    faults.push(`type ${found}, not ${[...(types ?? [])].join(' or ')}`)
  }
  if (fields.reporter.missing > 0) faults.push(`reporter ${first?.senderEmail ?? 'none'}`)
  if (fields.recipient.missing > 0) faults.push(`recipient ${first?.recipientEmail ?? 'none'}`)
  if (fields.date.missing > 0) faults.push(`date ${first?.eventDate ?? 'none'}`)
  return faults
}

function describeState(result: ReportResult): string {
  if (result.kind === 'report') return 'accepted'
  return result.kind === 'unreadable' ? 'quarantined' : 'rejected'
}

function listUrls(details: Readonly<Record<string, unknown>> | null): readonly string[] {
  const { url, urls } = details ?? {}
  const all: readonly unknown[] = [url, ...(Array.isArray(urls) ? urls : [])]
  return all.filter((one) => typeof one === 'string')
}

function compare(found: ReadonlySet<string>, wanted: ReadonlySet<string>): FieldScore {
  const right = [...found].filter((one) => wanted.has(one)).length
  return { right, surplus: found.size - right, missing: wanted.size - right }
}

interface Typed {
  readonly eventType: string
}

// A mail counts once, however many events it makes; no event where there should be one is a miss.
function scoreType({ types, kind }: MadeUpMail, events: readonly Typed[]): FieldScore {
  if (types === null || kind === 'nothing') return NONE
  if (events.length === 0) return { ...NONE, missing: 1 }
  const isRight = events.every(({ eventType }) => types.has(eventType))
  return isRight ? { ...NONE, right: 1 } : { right: 0, surplus: 1, missing: 1 }
}

function scoreOne(
  wanted: string | null,
  { kind }: MadeUpMail,
  found: readonly (string | null)[],
): FieldScore {
  if (wanted === null || kind === 'nothing') return NONE
  const named = found.filter((one) => one !== null)
  if (named.length === 0) return { ...NONE, missing: 1 }
  const isRight = named.every((one) => one === wanted)
  return isRight ? { ...NONE, right: 1 } : { right: 0, surplus: 1, missing: 1 }
}

function scoreDate({ date, kind }: MadeUpMail, found: readonly string[]): FieldScore {
  if (date === null || kind === 'nothing') return NONE
  if (found.length === 0) return { ...NONE, missing: 1 }
  const isRight = found.every((one) => [...date].some((wanted) => one.startsWith(wanted)))
  return isRight ? { ...NONE, right: 1 } : { right: 0, surplus: 1, missing: 1 }
}

function sum(scores: readonly FieldScore[]): FieldScore {
  return scores.reduce(
    (total, each) => ({
      right: total.right + each.right,
      surplus: total.surplus + each.surplus,
      missing: total.missing + each.missing,
    }),
    NONE,
  )
}

function describeTargets(
  field: string,
  found: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
): readonly string[] {
  const surplus = [...found].filter((one) => !wanted.has(one))
  const missing = [...wanted].filter((one) => !found.has(one))
  return [
    ...(surplus.length > 0 ? [`${field} too many: ${surplus.slice(0, 3).join(' ')}`] : []),
    ...(missing.length > 0 ? [`${field} missing: ${missing.slice(0, 3).join(' ')}`] : []),
  ]
}
