// How well the made-up mails were read: precision, recall and F1 of each field, who was blamed
// wrongly, and what was made of mails that report nothing.

import type { ReportResult } from '../src/reader/reading.ts'
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
  const judged = read.map(judge)
  const kinds = (kind: MadeUpMail['kind']) => judged.filter(({ mail }) => mail.kind === kind)
  return {
    mails: read.length,
    // The fields of the constant are the members of the record.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    fields: Object.fromEntries(
      FIELDS.map((field) => [field, sum(judged.map(({ fields }) => fields[field]))]),
    ) as ReadingScore['fields'],
    wrongEvents: judged.reduce((total, { wrongEvents }) => total + wrongEvents, 0),
    bystanders: countRight(kinds('bystander')),
    nothing: countRight(kinds('nothing')),
    faults: judged.flatMap(({ mail, faults }) =>
      faults.length === 0 ? [] : [`${mail.file}, ${mail.name}: ${faults.join('; ')}`],
    ),
  }
}

function countRight(some: readonly Judged[]): { readonly mails: number; readonly right: number } {
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

interface Judged {
  readonly mail: MadeUpMail
  readonly fields: Readonly<Record<ScoredField, FieldScore>>
  readonly wrongEvents: number
  readonly blamesRightly: boolean
  readonly faults: readonly string[]
}

const NONE: FieldScore = { right: 0, surplus: 0, missing: 0 }

function judge({ mail, result }: ReadMail): Judged {
  const events = result.kind === 'report' ? result.events.map(({ event }) => event) : []
  const found = {
    ip: new Set(events.flatMap(({ ip }) => ip ?? [])),
    url: new Set(events.flatMap(({ details }) => listUrls(details))),
    domain: new Set(events.flatMap(({ domain }) => domain ?? [])),
  }
  const fields = {
    ip: compare(found.ip, mail.ip),
    url: compare(found.url, mail.url),
    domain: compare(found.domain, mail.domain),
    type: scoreType(mail, events),
    reporter: scoreOne(
      mail.reporter,
      mail,
      events.map(({ senderEmail }) => senderEmail),
    ),
    recipient: scoreOne(
      mail.recipient,
      mail,
      events.map(({ recipientEmail }) => recipientEmail),
    ),
    date: scoreDate(
      mail,
      events.map(({ eventDate }) => eventDate),
    ),
  }
  const wrong = events.filter(
    ({ ip, domain }) =>
      (ip !== null && !mail.ip.has(ip)) || (domain !== null && !mail.domain.has(domain)),
  ).length
  const blamed = [...found.ip, ...found.domain].filter((one) => mail.not.has(one))
  const isFound = fields.ip.missing === 0 && fields.url.missing === 0
  const state = describeState(result)
  const faults = [
    ...describe('ip', found.ip, mail.ip),
    ...describe('url', found.url, mail.url),
    ...describe('domain', found.domain, mail.domain),
    ...(fields.type.missing > 0 || fields.type.surplus > 0
      ? [
          `type ${[...new Set(events.map(({ eventType }) => eventType))].join(' ') || 'none'}, not ${[...(mail.types ?? [])].join(' or ')}`,
        ]
      : []),
    ...(fields.reporter.missing > 0 ? [`reporter ${events[0]?.senderEmail ?? 'none'}`] : []),
    ...(fields.recipient.missing > 0 ? [`recipient ${events[0]?.recipientEmail ?? 'none'}`] : []),
    ...(fields.date.missing > 0 ? [`date ${events[0]?.eventDate ?? 'none'}`] : []),
    ...(mail.states === null || mail.states.has(state) ? [] : [`is ${state}`]),
  ]
  return {
    mail,
    fields,
    wrongEvents: mail.kind === 'nothing' ? events.length : wrong,
    blamesRightly:
      mail.kind === 'nothing'
        ? events.length === 0 && (mail.states === null || mail.states.has(state))
        : blamed.length === 0 && isFound,
    faults,
  }
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

function describe(
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
