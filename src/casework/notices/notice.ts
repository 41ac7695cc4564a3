// The words of notices: what a notice is for, to whom it goes, what it may show, and what became of
// it.

/** `digest` is made by the service itself, of notices that a limit held back. */
export const PURPOSES = [
  'receipt',
  'notice',
  'reminder',
  'outcome',
  'statement_of_reasons',
  'answer',
  'digest',
] as const
export type NoticePurpose = (typeof PURPOSES)[number]

export type NoticeParty = 'customer' | 'reporter' | 'other'

/** Whom a template is written for: what it may show of a case. */
export type RedactionProfile = 'customer' | 'reporter' | 'authority'

/**
 * - `waiting`: for its first or next attempt.
 * - `sent`: the relay took it.
 * - `bounced`: the relay took it, and it came back.
 * - `failed`: the relay refused it for good, or all attempts failed.
 * - `suppressed`: nothing is sent; the reason says why (`on_list`, `own_address`, `cancelled` …).
 * - `held`: no relay is set (`no_relay`), the limit of the recipient is reached (`throttled`), or a
 *   digest has taken it up and is not sent yet (`in_digest`).
 */
const NOTICE_STATES = ['waiting', 'sent', 'bounced', 'failed', 'suppressed', 'held'] as const
export type NoticeState = (typeof NOTICE_STATES)[number]

/** A text that goes with a notice, redacted. */
export interface EvidenceFile {
  readonly fileName: string
  readonly text: string
}

export function isPurpose(text: string): text is NoticePurpose {
  return PURPOSES.some((purpose) => purpose === text)
}

/** Whether a template of this profile may go to this party; a person names any other party. */
export function mayGoTo(party: NoticeParty, profile: RedactionProfile): boolean {
  if (party === 'other' || profile === 'reporter') return true
  return party === 'customer' && profile === 'customer'
}

/** A tag as `writeCaseTag` writes it; its group is the id of a case. */
export const CASE_TAG = /\[(C-[0-9A-Fa-f-]{36})\]/

/** The part that is before a message's subject, by which people and programs find the case. */
export function writeCaseTag(caseId: string): string {
  return `[${caseId}]`
}
