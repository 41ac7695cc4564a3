// A mail as the readers of reports see it: headers, addresses and parts, decoded; enclosed mails
// stay closed parts of their own.

/** One header field, in the order of the mail. */
export interface MailHeader {
  /** Lower case. */
  readonly name: string
  /** Unfolded, encoded words decoded (RFC 2047), without surrounding space. */
  readonly value: string
}

export interface MailAddress {
  /** Empty when there is none. */
  readonly displayName: string
  /** As written, at most 254 characters; not necessarily valid. */
  readonly address: string
}

/**
 * A leaf of the MIME tree. `message/rfc822` is a leaf, too; a reader parses its bytes to look
 * inside.
 */
export interface MailPart {
  /** Position in the tree, from 1: `1`, `2`, `1.2`. */
  readonly path: string
  /** Lower case, without parameters, as the part names itself; `text/plain` when it does not. */
  readonly mediaType: string
  /** Media type of the multipart it stands in; null for the only part of a mail. */
  readonly parentType: string | null
  readonly fileName: string | null
  readonly isAttachment: boolean
  /** The decoded text of what is text by its media type, else null. Lines end with `\n`. */
  readonly text: string | null
  /** Transfer encoding undone. */
  readonly bytes: Uint8Array
}

export interface Mail {
  readonly headers: readonly MailHeader[]
  readonly subject: string
  readonly messageId: string | null
  /** The Date header; null when it is missing or no date. */
  readonly dateMs: number | null
  readonly from: readonly MailAddress[]
  readonly replyTo: readonly MailAddress[]
  readonly to: readonly MailAddress[]
  /** In the order of the mail. A report that came without a mail is one part, without headers. */
  readonly parts: readonly MailPart[]
  /** Each defect and how it was read, a sentence each; only the first ones. */
  readonly defects: readonly string[]
}

/** The first header of that name (lower case); null when there is none. */
export function findHeader(mail: Mail, name: string): string | null {
  return mail.headers.find((header) => header.name === name)?.value ?? null
}

/** Text as a person would read it, in lines, for the readers of free text. */
export interface ReadableText {
  /** As a finding names it: `subject`, `text`, `html`, `attachment log.txt`, `enclosed mail`. */
  readonly part: string
  /**
   * `body` is what the reporter wrote, `attachment` what was added to it as a file, `enclosed` the
   * mail that is complained about. A subject is one line.
   */
  readonly kind: 'subject' | 'body' | 'attachment' | 'enclosed'
  readonly lines: readonly string[]
  /**
   * The limit beyond which there is more of it, as part of a sentence; left out when this is all.
   */
  readonly unread?: string
}
