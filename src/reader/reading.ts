// The public types of the reader: the events of a report with the finding of each value, or the
// reason why there are none. Other areas take their types from here (a file that re-exports them
// would be a barrel), and call read-report.ts.

import type { FieldProblem } from '../values/field-problem.ts'
import type { NewEvent } from '../vocabulary/event.ts'

/**
 * What a format may know beside the bytes. Formats are pure: the same bytes and context give the
 * same result.
 */
export interface ReportContext {
  /** When the report reached us; nothing in it can have happened much later. */
  readonly receivedAtMs: number
  /** The media type that came with the bytes; empty when none did. The content decides. */
  readonly mediaType: string
  /**
   * Becomes the reporter where the report itself names none: the address of the caller, or the
   * envelope sender.
   */
  readonly fallbackReporter: string | null
  /**
   * The networks of the tenant and its customers: addresses, ranges (`192.0.2.0/24`, `first-last`)
   * and domains with all below them. Of two addresses between which nothing else decides, the one
   * in here is the source. Left out, none is known.
   */
  readonly ownNetworks?: readonly string[]
  /** The recipients of the envelope, those of the tenant; left out or empty, none is known. */
  readonly envelopeTo?: readonly string[]
  /** The address of the client that handed the mail over by SMTP; left out or null, unknown. */
  readonly clientAddress?: string | null
  /** The mailboxes that the tenant takes reports at; left out, none is known. */
  readonly mailboxes?: readonly ReportMailbox[]
}

/** `abuse@example.org`, or `*@example.org` for the rest of a domain. */
export interface ReportMailbox {
  /** Lower case, the domain in A-labels. */
  readonly address: string
  /** Nobody complains to it: all mail to it is complained about. */
  readonly isTrap: boolean
}

/** A party as the report names it; a member the report leaves out is empty. */
export interface ReportParty {
  readonly org: string
  readonly contact: string
  readonly domain: string
}

/** The location of one value in the report, and why it was chosen or rejected. */
export interface Finding {
  /**
   * JSON pointer of the event's member: `/ip`, `/event_details/url`, `/event_date`, `/event_type`,
   * `/sender_email` …
   */
  readonly field: string
  /** The value as the event has it, or would have had it. */
  readonly value: string
  /**
   * The part of the report: `header From`, `subject`, `text`, `html`, `attachment report.csv`,
   * `enclosed mail`, `json`.
   */
  readonly part: string
  /** Line or row of that part, from 1; null where the part has none. */
  readonly line: number | null
  /** The text at that location, at most 200 characters. */
  readonly excerpt: string
  /**
   * The role of the value in the report: `source`, `target`, `reporter`, `reported url` …; null
   * when the format leaves no doubt.
   */
  readonly role: string | null
  /** 1 is the best candidate; null when there was nothing to choose from. */
  readonly rank: number | null
  /** Why it was chosen or rejected, for a person. */
  readonly reason: string
  /**
   * The name of the rule that decided, as it stands in the source and in
   * docs/reference/reading-rules.md; left out, `nameRules` puts that of the format.
   */
  readonly rule?: string
  /** The words of the report by which it decided; left out where none did. */
  readonly words?: string
}

/** Who wrote a mail that became no report, to whom and when; null where it does not say. */
export interface Letter {
  readonly senderEmail: string | null
  readonly recipientEmail: string | null
  readonly atMs: number | null
}

/** A mail as the answer to one of ours: what its author wrote, and what programs say of it. */
export interface ReadLetter {
  /** The one address in From, in lower case; null when there is none, or several. */
  readonly from: string | null
  readonly subject: string
  /** Without angle brackets; so are the next ones. */
  readonly messageId: string | null
  /** Of In-Reply-To and References, the surest first; only the first ones. */
  readonly answeredIds: readonly string[]
  /** All addresses of To, Cc and Delivered-To, in lower case. */
  readonly recipients: readonly string[]
  /** The header by which a program wrote it (RFC 3834); null for a person. */
  readonly automatic: string | null
  /** Plain text of the author, at most 20,000 characters, without what he quotes. */
  readonly text: string
  readonly quoted: string
  /** Attached files and enclosed mails; only the first ones. */
  readonly parts: readonly LetterPart[]
  /** Of a report on delivery (RFC 3464), one for each recipient; empty for other mail. */
  readonly bounces: readonly BounceGroup[]
  /** The Feedback-Type of a complaint (RFC 5965), in lower case; null for other mail. */
  readonly complaint: string | null
  /** Where answers to an enclosed mail go, by its headers: our addresses, when it is ours. */
  readonly enclosedAddresses: readonly string[]
}

export interface LetterPart {
  /** Its position in the mail: `2`, `1.2`. */
  readonly path: string
  readonly mediaType: string
  readonly fileName: string | null
  readonly byteLength: number
}

export interface BounceGroup {
  /** `failed`, `delayed`, `delivered`, `relayed` or `expanded`. */
  readonly action: string
  /** Of RFC 3463, such as `5.1.1`; empty when it names none. */
  readonly status: string
  /** Whom it names, as the sender and the last server knew them, in lower case. */
  readonly recipients: readonly string[]
}

/** What a report holds as evidence, as text, for whom the report itself is not meant. */
export interface ReadEvidence {
  readonly texts: readonly {
    /** The reporter wrote it himself; else it is an enclosed mail or a file. */
    readonly isOfReporter: boolean
    readonly lines: readonly string[]
  }[]
}

/** A report as a person reads it, with the place of each finding. */
export interface ShownReport {
  readonly result: ReportResult
  /** Of the mail that was read, in its order; none when the bytes are no mail. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly texts: readonly ShownText[]
  readonly files: readonly LetterPart[]
  /** In the order of the events and of their findings; null where none was found. */
  readonly locations: readonly (readonly (FoundLocation | null)[])[]
  readonly passedOverLocations: readonly (FoundLocation | null)[]
}

export interface ShownText {
  /** As a finding names it: `subject`, `text`, `html`, `attachment log.txt`, `json`. */
  readonly part: string
  readonly lines: readonly string[]
  readonly isCut: boolean
}

/** Characters `start` to `end` of one line of a text, or of the value of a header. */
export interface FoundLocation {
  readonly of: 'header' | 'text'
  /** Position in `headers` or `texts`, from 0. */
  readonly at: number
  /** Line of the text, from 0; 0 for a header. */
  readonly line: number
  readonly start: number
  readonly end: number
}

/** The rule that decided about the whole report. */
export interface DecidingRule {
  readonly rule: string
  /** Empty where no words decided. */
  readonly words: string
}

export interface ReadEvent {
  readonly event: NewEvent
  readonly findings: readonly Finding[]
  /**
   * False when the report states no time and the event has the time of arrival; left out, the
   * report states it.
   */
  readonly isTimeStated?: boolean
}

export interface ReadReport {
  readonly kind: 'report'
  /** How it was read: `xarf_v4`, `arf`, `text` … */
  readonly format: string
  /**
   * The id its reporter gave it, else the Message-ID, else a digest of the content; part of the
   * identity of its events.
   */
  readonly reportId: string
  /** The party that complains. */
  readonly reporter: ReportParty
  /**
   * The party that sent it, perhaps on the reporter's behalf. Its contact is the `sender_email` of
   * the events.
   */
  readonly sender: ReportParty
  /** At least one. */
  readonly events: readonly ReadEvent[]
  /** The rejected candidates, the best first; bounded. */
  readonly passedOver: readonly Finding[]
  /** The bytes are a mail, which anybody can write; left out, they are not. */
  readonly isMail?: boolean
}

export type ReportResult =
  | ReadReport
  /** A known format with broken rules: only its sender can mend the report. */
  | {
      readonly kind: 'invalid'
      readonly format: string
      readonly problems: readonly FieldProblem[]
    }
  /**
   * The mail was read and reports nothing: an answer, a notice, an advertisement. `reason` is a
   * public sentence.
   */
  | {
      readonly kind: 'no_report'
      readonly format: string
      readonly reason: string
      /** Left out, the rules of the format decided. */
      readonly decidedBy?: DecidingRule
      readonly passedOver: readonly Finding[]
      /** Left out for what is no mail. */
      readonly letter?: Letter
    }
  /** No format reads it, or it breaks a limit. `reason` is a public sentence. */
  | {
      readonly kind: 'unreadable'
      readonly reason: string
      readonly decidedBy?: DecidingRule
      readonly letter?: Letter
    }

/** What the corrected report reports. */
export interface CaseExpectation {
  readonly ips: readonly string[]
  readonly urls: readonly string[]
  /** Those that are the host of no URL. */
  readonly domains: readonly string[]
  readonly types: readonly string[]
  readonly reporter: string | null
  readonly recipient: string | null
  /** Addresses and domains that were blamed wrongly. */
  readonly bystanders: readonly string[]
}

export interface CaseRequest {
  /** The first line of the case; names nobody. */
  readonly name: string
  readonly isAnonymised: boolean
  readonly expectation: CaseExpectation
  readonly receivedAtMs: number
  /** Of the tenant; only what the case names of them is told. */
  readonly ownNetworks: readonly string[]
  readonly envelopeRecipient: string | null
  readonly isTrapped: boolean
}

export type WrittenCase =
  | { readonly kind: 'case'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string }
