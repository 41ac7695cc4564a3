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

export function isPurpose(text: string): text is NoticePurpose {
  return PURPOSES.some((purpose) => purpose === text)
}
