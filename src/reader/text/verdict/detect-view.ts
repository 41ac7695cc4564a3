// The input of the rules of classify-verdict.ts, and their result.

import { findHeader, type Mail } from '../../mail/mail.ts'
import { sourceOf } from '../../words/compile-words.ts'
import type { RefusalKind } from './verdict-rules.ts'

/**
 * What would be reported: named as such; an address, a link or a domain that merely stands there;
 * what was said to be something else. Tells nothing when there is no candidate.
 */
export type Standing = 'named' | 'mentioned' | 'linked' | 'domain' | 'last'

/** The facts of a mail that the rules use. */
export interface View {
  readonly mail: Mail
  /** Folded. */
  readonly subject: string
  /** Subject and the beginning of the body, folded. */
  readonly opening: string
  /** The same with the links and footers that were cut: where a mail points to is there. */
  readonly uncut: string
  /** Beginning of the body, folded: what an answer says it says at once. */
  readonly start: string
  /** Beginning of the body with its lines, folded. */
  readonly body: string
  /** Lines of a log stand in it. */
  readonly hasLog: boolean
  /** Something is enclosed or attached that may be the matter. */
  readonly isShown: boolean
  /** Anything bad is said or shown; of an answer its subject does not count. */
  readonly hasHarm: boolean
  readonly hasTrace: boolean
  /** Length of the bodies in characters, without blanks; long ones are counted in part. */
  readonly bodyLength: number
  readonly candidateCount: number
  readonly ownCandidateCount: number
  readonly standing: Standing
  readonly complains: boolean
  /** A kind of abuse is named in the subject, or where the text begins. */
  readonly namesAbuse: { readonly inSubject: boolean; readonly atAll: boolean }
  /** Something that could be acted on, and a plea to do so. */
  readonly isActionable: boolean
}

export interface Refusal {
  /** `an automatic reply`. */
  readonly kind: RefusalKind
  /** The words or the header that show it. */
  readonly knownBy: string
  /** These words alone, folded; left out where something else shows it. */
  readonly words?: string
  readonly part?: string
}

export function known(
  kind: RefusalKind,
  text: string,
  pattern: RegExp,
  part = 'text',
): Refusal | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const words = match[0].trim()
  return { kind, knownBy: `"${words}" in the ${part}`, part, words }
}

export function isAnswer(mail: Mail): boolean {
  const isReply =
    findHeader(mail, 'in-reply-to') !== null || findHeader(mail, 'references') !== null
  return isReply || REPLY.test(mail.subject)
}

const WRITTEN = { text: 'as written' } as const
const REPLY = new RegExp(
  `^\\s{0,4}(?:${sourceOf('subject.reply', WRITTEN)}|${sourceOf('subject.reply-or-forward', WRITTEN)})\\s?[:：]`,
  'iu',
)

export const FORWARDED = new RegExp(
  `^\\s{0,4}(?:${sourceOf('subject.forward', WRITTEN)}|${sourceOf('subject.forward-in-verdict', WRITTEN)})\\s?:`,
  'iu',
)
