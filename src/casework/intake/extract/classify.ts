// What kind of abuse a report is about, by weighted evidence from its words, its structure and its sender.

import type { ReadableText } from '../mail/mail.ts'
import type { MailReport } from '../mail-format.ts'
import type { Finding } from '../report.ts'

export interface ClassifyInput {
  readonly report: MailReport
  /** Already cut: without signature, disclaimer and quoted thread. */
  readonly texts: readonly ReadableText[]
  /** The reported URLs, refanged. */
  readonly urls: readonly string[]
  readonly hasEnclosedMail: boolean
  /** The ports the report names. */
  readonly ports: readonly number[]
}

export interface Classification {
  /** A word of the vocabulary. */
  readonly eventType: string
  readonly eventSubtypes: readonly string[]
  /** 0 to 1: how far the winner is ahead of the next; 0 when nothing speaks for any. */
  readonly margin: number
  /** Why, the weightiest first, bounded. */
  readonly evidence: readonly Finding[]
}

/** `MaliciousActivity` when it is a complaint of no known kind, `Unknown` when it is not even that. */
export function classifyReport(input: ClassifyInput): Classification {
  return {
    eventType: input.hasEnclosedMail ? 'Spam' : 'Unknown',
    eventSubtypes: [],
    margin: 0,
    evidence: [],
  }
}
