// What a feedback report is about: its Feedback-Type (RFC 5965 section 7.3 and the registry it
// opened), made finer by what vendors add.

import type { MailReport } from '../mail-format.ts'
import type { Finding } from '../reading.ts'
import type { EnclosedMail } from './enclosed-mail.ts'
import { type FieldLine, fieldText, findField } from './key-value-lines.ts'

export interface Feedback {
  readonly report: MailReport
  readonly fields: readonly FieldLine[]
  /** Where the fields stand, as a finding names it. */
  readonly part: string
  readonly enclosed: EnclosedMail | null
  /** False when the fields stand in a text for people. */
  readonly isMachine: boolean
}

export interface FeedbackEventType {
  readonly kind: 'event'
  readonly eventType: string
  readonly eventSubtypes: readonly string[]
  /** About what a link of the mail leads to, more than about the mail. */
  readonly isAboutLink: boolean
  readonly finding: Finding
}

export type FeedbackType =
  | FeedbackEventType
  | { readonly kind: 'no_report'; readonly reason: string }

const EVENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['abuse', 'Spam'],
  ['spam', 'Spam'],
  ['complaint', 'Spam'],
  ['trap', 'Trap'],
  ['fraud', 'Fraud'],
  ['phishing', 'Phishing'],
  ['virus', 'Malware'],
  ['malware', 'Malware'],
  ['auth-failure', 'AuthFailure'],
  ['dmarc', 'AuthFailure'],
  ['not-spam', 'NotSpam'],
  ['miscategorized', 'NotSpam'],
])

const ABOUT_LINK = new Set(['Phishing', 'Fraud', 'Malware'])

/** An unregistered type is a complaint of an unknown kind. */
export function chooseFeedbackType(feedback: Feedback): FeedbackType {
  const { fields, part } = feedback
  const field = findField(fields, 'feedback-type')
  const word = (field?.value ?? 'abuse').toLowerCase().replaceAll(/[_ ]/g, '-')
  if (word.startsWith('opt-out')) {
    const reason = 'The feedback report asks to be taken off a list (opt-out); it reports no abuse.'
    return { kind: 'no_report', reason }
  }
  const eventType = refineType(EVENT_TYPES.get(word) ?? 'MaliciousActivity', feedback)
  return {
    kind: 'event',
    eventType,
    eventSubtypes: eventType === 'AuthFailure' ? [nameFailure(fields)] : [],
    isAboutLink: ABOUT_LINK.has(eventType),
    finding: {
      field: '/event_type',
      value: eventType,
      part,
      line: field?.line ?? null,
      excerpt: field?.text ?? '',
      role: null,
      rank: null,
      reason:
        field === null
          ? 'A complaint about a mail without a type.'
          : `Its Feedback-Type is ${word}.`,
    },
  }
}

// The registered types are coarse: `fraud` is mostly phishing, and vendors tell more in a field of
// their own.
function refineType(eventType: string, { fields, report }: Feedback): string {
  const isCoarse = ['Spam', 'Fraud', 'MaliciousActivity'].includes(eventType)
  if (!isCoarse) return eventType
  const vendor = fieldText(fields, 'abuse-type', 'x-abuse-type').toLowerCase()
  if (/phish/.test(vendor)) return 'Phishing'
  if (/malware|virus/.test(vendor)) return 'Malware'
  if (/fraud|scam/.test(vendor)) return 'Fraud'
  if (eventType === 'MaliciousActivity') return /spam|complaint/.test(vendor) ? 'Spam' : eventType
  return eventType === 'Fraud' && saysPhishing(report) ? 'Phishing' : eventType
}

function saysPhishing({ mail, texts }: MailReport): boolean {
  const lines = texts
    .filter(({ kind }) => kind === 'body')
    .flatMap((text) => text.lines.slice(0, 50))
  return [mail.subject, ...lines].some((line) => /phish/i.test(line))
}

function nameFailure(fields: readonly FieldLine[]): string {
  const failure = fieldText(fields, 'auth-failure').toLowerCase()
  const isDmarc =
    failure === '' || failure === 'dmarc' || findField(fields, 'identity-alignment') !== null
  return isDmarc ? 'dmarc-failure' : `${failure}-failure`
}
