// The entrance of the reader, a pure library: from the bytes of a report to its events. Code
// outside of src/reader calls this file only, and takes the types from reading.ts. The format is
// detected by the content: XARF version 4 by its members, everything else is read as a mail. A bare
// archive, table or text is a mail of one part. Reports of strangers are read in a thread that can
// be killed (casework/reports/reading).

import { createHash } from 'node:crypto'
import { isEmailAddress } from '../values/email.ts'
import { ID_LENGTH_MAX } from '../vocabulary/event.ts'
import { unpackParts } from './archive/unpack-parts.ts'
import { type DetectedFormat, detectFormat } from './detect-format.ts'
import { storableText } from './event-draft.ts'
import { explainUnknown } from './explain-unknown.ts'
import { ACNS_FORMAT } from './formats/acns-format.ts'
import { ARF_FORMAT } from './formats/arf.ts'
import { DMARC_NOTICE_FORMAT } from './formats/dmarc-notice.ts'
import { DMARC_FORMAT } from './formats/dmarc-report.ts'
import { FAIL2BAN_FORMAT } from './formats/fail2ban-report.ts'
import { IODEF_FORMAT } from './formats/iodef-report.ts'
import { PASSED_OVER_MAX } from './formats/machine-report.ts'
import { SPAMCOP_FORMAT } from './formats/spamcop.ts'
import { TABLE_FORMAT } from './formats/table-format.ts'
import { TLS_REPORT_FORMAT } from './formats/tls-report.ts'
import { readTrapMail } from './formats/trap-mail.ts'
import { X_ARF_FORMAT } from './formats/x-arf.ts'
import { XARF_LEGACY_FORMAT } from './formats/xarf-legacy.ts'
import { readXarfV4 } from './formats/xarf-v4.ts'
import { XARF_V4_MAIL_FORMAT } from './formats/xarf-v4-mail.ts'
import { listUnread } from './list-unread.ts'
import { mailOfOnePart } from './mail/detect-mail.ts'
import { addRecipient, findRecipient, isTrapped } from './mail/find-recipient.ts'
import { findReporter } from './mail/find-reporter.ts'
import type { Mail } from './mail/mail.ts'
import { openPassedOn } from './mail/open-passed-on.ts'
import { openSigned } from './mail/open-signed.ts'
import { parseMail } from './mail/parse-mail.ts'
import { prescanReport } from './mail/prescan.ts'
import { readEvidence } from './mail/read-evidence.ts'
import { readLetter } from './mail/read-letter.ts'
import { listReadableTexts } from './mail/readable-texts.ts'
import { READING_LIMITS } from './mail/reading-limits.ts'
import { showReport } from './mail/show-report.ts'
import type { MailFormat, MailReport, MailReporter } from './mail-format.ts'
import { nameRules } from './name-rules.ts'
import type {
  CaseRequest,
  Letter,
  ReadEvidence,
  ReadLetter,
  ReportContext,
  ReportResult,
  ShownReport,
  WrittenCase,
} from './reading.ts'
import { writeCase } from './regression/write-case.ts'
import { TEXT_FORMAT } from './text/text-format.ts'

/** Machine formats; those that name themselves come before those known by their structure. */
const MACHINE_FORMATS: readonly MailFormat[] = [
  XARF_V4_MAIL_FORMAT,
  XARF_LEGACY_FORMAT,
  X_ARF_FORMAT,
  ARF_FORMAT,
  DMARC_FORMAT,
  DMARC_NOTICE_FORMAT,
  TLS_REPORT_FORMAT,
  ACNS_FORMAT,
  IODEF_FORMAT,
  TABLE_FORMAT,
  SPAMCOP_FORMAT,
  FAIL2BAN_FORMAT,
]

/**
 * Never throws for the content of a report; takes at most as long as the limits allow
 * (reader/mail/reading-limits.ts).
 */
export function readReportBytes(bytes: Uint8Array, context: ReportContext): ReportResult {
  return nameRules(requireReporter(readBytes(bytes, context)))
}

/**
 * Whether the bytes are an XARF object of version 4, complete or not: such a report is read in a
 * fraction of a millisecond, a mail is not.
 */
export function isXarfObject(bytes: Uint8Array): boolean {
  return detectFormat(bytes).kind === 'xarf_v4'
}

/** The mail as the answer to one of ours; null when the bytes are no mail, or beyond a limit. */
export function readLetterBytes(bytes: Uint8Array): ReadLetter | null {
  return readLetter(bytes)
}

/** The evidence in a mail; null when the bytes are no mail, or beyond a limit. */
export function readEvidenceBytes(bytes: Uint8Array): ReadEvidence | null {
  return readEvidence(bytes)
}

/** The report as a person reads it, what was read out of it, and where each value stands. */
export function showReportBytes(bytes: Uint8Array, context: ReportContext): ShownReport {
  return showReport(bytes, context.mediaType, readReportBytes(bytes, context))
}

/** The mail with what it reports, as a case for the tests of the reader. */
export function writeRegressionCase(bytes: Uint8Array, request: CaseRequest): WrittenCase {
  return writeCase(bytes, request)
}

// An event without `sender_email` could neither be answered nor counted by reporter.
function requireReporter(result: ReportResult): ReportResult {
  if (result.kind !== 'report') return result
  if (result.events.every(({ event }) => isEmailAddress(event.senderEmail))) return result
  const reason =
    'The report names nobody who reports it. Over HTTP, name somebody with ?reporter=<e-mail address>, or use a token with a contact_email.'
  return { kind: 'unreadable', reason, decidedBy: { rule: 'no-reporter', words: '' } }
}

function readBytes(bytes: Uint8Array, context: ReportContext): ReportResult {
  const { exceeded, tree } = prescanReport(bytes)
  if (exceeded !== null) return { kind: 'unreadable', reason: exceeded }
  if (tree !== null) {
    const mail = parseMail(bytes, READING_LIMITS, tree)
    const recipient = findRecipient(mail, context)
    const result =
      recipient !== null && isTrapped(recipient, context)
        ? readTrapMail(describeMail(bytes, mail, context), recipient)
        : readMail(bytes, mail, context)
    if (result.kind === 'invalid') return result
    if (result.kind !== 'report') {
      return { ...result, letter: describeLetter(mail, recipient?.address ?? null, context) }
    }
    return addRecipient({ ...result, isMail: true }, recipient)
  }
  const detected = detectFormat(bytes)
  if (detected.kind === 'xarf_v4') return readXarfV4(detected.value, context.receivedAtMs)
  return readOnePart(bytes, detected, context)
}

// For a person who finds that it reports something after all.
function describeLetter(mail: Mail, recipientEmail: string | null, context: ReportContext): Letter {
  const senderEmail = findReporter(mail, context)?.contact ?? null
  const { dateMs } = mail
  const isPossible = dateMs !== null && dateMs >= 0 && dateMs <= context.receivedAtMs
  return { senderEmail, recipientEmail, atMs: isPossible ? dateMs : null }
}

function readMail(bytes: Uint8Array, parsed: Mail, context: ReportContext): ReportResult {
  const { mail, refusals } = unpackParts(openSigned(openPassedOn(parsed)))
  // Without this check the rows of a refused part would be lost in silence.
  const [refusal] = refusals
  if (refusal !== undefined) return { kind: 'unreadable', reason: refusal }
  const report = describeMail(bytes, mail, context)
  return addUnread(readMachineFormat(report) ?? readText(report), report)
}

function readOnePart(
  bytes: Uint8Array,
  detected: Exclude<DetectedFormat, { kind: 'xarf_v4' }>,
  context: ReportContext,
): ReportResult {
  if (isEmptyReport(bytes)) return { kind: 'unreadable', reason: 'The report is empty.' }
  const { mail, refusals } = unpackParts(mailOfOnePart(bytes, context.mediaType))
  const [refusal] = refusals
  if (refusal !== undefined) return { kind: 'unreadable', reason: refusal }
  const report = describeMail(bytes, mail, context)
  const result = readMachineFormat(report)
  if (result !== null) return addUnread(result, report)
  // JSON of an unknown shape holds words and addresses too, but it is no prose.
  const isProse = !detected.isJson && report.texts.length > 0
  if (isProse) return addUnread(readText(report), report)
  const [unread] = listUnread(report)
  const [part] = mail.parts
  const known = detected.isJson || part === undefined ? null : explainUnknown(part)
  return { kind: 'unreadable', reason: unread?.reason ?? known ?? detected.reason }
}

/** Nothing, or a few blanks. */
export function isEmptyReport(bytes: Uint8Array): boolean {
  return bytes.length <= EMPTY_LENGTH_MAX && Buffer.from(bytes).toString().trim() === ''
}

// A longer file of blanks counts as a report that cannot be read.
const EMPTY_LENGTH_MAX = 1_024

/** Adds findings for the parts of the report that were not read. */
function addUnread(result: ReportResult, report: MailReport): ReportResult {
  if (result.kind !== 'report' && result.kind !== 'no_report') return result
  const unread = listUnread(report)
  if (unread.length === 0) return result
  return { ...result, passedOver: [...unread, ...result.passedOver].slice(0, PASSED_OVER_MAX) }
}

function describeMail(bytes: Uint8Array, mail: Mail, context: ReportContext): MailReport {
  return {
    mail,
    context,
    reporter: findMailReporter(mail, context),
    reportId: mail.messageId === null ? digest(bytes) : storableText(mail.messageId, ID_LENGTH_MAX),
    texts: listReadableTexts(mail),
  }
}

function findMailReporter(mail: Mail, context: ReportContext): MailReporter | null {
  const author = findReporter(mail, { ...context, fallbackReporter: null })
  if (author !== null) return author
  const standIn = findReporter(mail, context)
  return standIn === null ? null : { ...standIn, isStandIn: true }
}

function digest(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function readMachineFormat(report: MailReport): ReportResult | null {
  for (const format of MACHINE_FORMATS) {
    const result = format.read(report)
    if (result !== null) return result
  }
  return null
}

function readText(report: MailReport): ReportResult {
  const result = TEXT_FORMAT.read(report)
  if (result === null) throw new Error('free text is read by the last format')
  return result
}
