// Reads a mail as a letter: what its author wrote, without the text that he quotes, and what the
// programs on its way said of it. For answers to our notices, bounces (RFC 3464) and complaints
// (RFC 5965).

import { EMAIL_IN_TEXT, isEmailAddress } from '../../values/email.ts'
import type { BounceGroup, LetterPart, ReadLetter } from '../reading.ts'
import { isEnclosedMail } from './detect-mail.ts'
import { listHeader } from './header-addresses.ts'
import { findHeader, type Mail, type MailPart } from './mail.ts'
import { parseMail } from './parse-mail.ts'
import { prescanReport } from './prescan.ts'
import { splitQuote } from './quoted-text.ts'
import { listReadableTexts } from './readable-texts.ts'
import { READING_LIMITS } from './reading-limits.ts'

// As long as a comment of a case.
const TEXT_LENGTH_MAX = 20_000
const PARTS_MAX = 10
const IDS_MAX = 50
const GROUPS_MAX = 20
const FIELD_LENGTH_MAX = 500

/** Null when the bytes are no mail, or beyond a limit. */
export function readLetter(bytes: Uint8Array): ReadLetter | null {
  const { exceeded, tree } = prescanReport(bytes)
  if (exceeded !== null || tree === null) return null
  const mail = parseMail(bytes, READING_LIMITS, tree)
  const enclosed = mail.parts.filter(isEnclosedMail).slice(0, 2)
  const lines = listReadableTexts(mail).flatMap((one) => (one.kind === 'body' ? one.lines : []))
  const { own, quoted } = splitQuote(lines)
  const feedback = findText(mail, 'message/feedback-report')
  return {
    from: findAuthor(mail),
    subject: clean(mail.subject, FIELD_LENGTH_MAX).replaceAll(/\s+/g, ' '),
    messageId: mail.messageId === null ? null : bareId(mail.messageId),
    answeredIds: listAnsweredIds(mail),
    recipients: listRecipients(mail),
    automatic: findAutomatic(mail),
    text: clean(own, TEXT_LENGTH_MAX),
    quoted: clean(quoted, TEXT_LENGTH_MAX),
    parts: listParts(mail),
    bounces: readBounces(mail, lines),
    complaint: feedback === null ? null : readField(feedback, 'feedback-type').toLowerCase(),
    enclosedAddresses: [
      ...enclosed.flatMap((part) => listEnclosedAddresses(part)),
      ...(feedback === null ? [] : [readField(feedback, 'original-mail-from')]),
    ].map((one) => one.replaceAll(/[<>\s]/g, '')),
  }
}

/** The one address in From; mail programs differ on which of several they show. */
function findAuthor(mail: Mail): string | null {
  const addresses = new Set(mail.from.map(({ address }) => address.toLowerCase()))
  const fields = mail.headers.filter(({ name }) => name === 'from').length
  const [only] = addresses
  if (fields !== 1 || addresses.size !== 1 || only === undefined) return null
  return isEmailAddress(only) ? only : null
}

/**
 * The surest first: In-Reply-To, the begin of the thread, and of the other References the newest,
 * which are at its end.
 */
function listAnsweredIds(mail: Mail): readonly string[] {
  const [first, ...others] = listIds(mail, 'references')
  const begin = first === undefined ? [] : [first]
  const ids = [...listIds(mail, 'in-reply-to'), ...begin, ...others.toReversed()]
  return [...new Set(ids)].slice(0, IDS_MAX)
}

function listIds(mail: Mail, name: string): readonly string[] {
  const value = findHeader(mail, name) ?? ''
  return [...value.matchAll(/<([^<>\s]{3,250})>/g)].map(([, id = '']) => id)
}

function bareId(id: string): string {
  return id.replaceAll(/[<>\s]/g, '').slice(0, FIELD_LENGTH_MAX)
}

const RECIPIENT_FIELDS = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to']

function listRecipients(mail: Mail): readonly string[] {
  const found = RECIPIENT_FIELDS.flatMap((name) => listAddresses(mail, name))
  return [...new Set(found)].slice(0, READING_LIMITS.addressesMax)
}

// From the begin of a word, so that a long one is passed once.
const BARE_ADDRESS = /(?<![^\s<>,;:"])[^\s<>,;:"@]{1,64}@[^\s<>,;:"@]{1,253}/g

function listAddresses(mail: Mail, name: string): readonly string[] {
  const fields = mail.headers.filter((header) => header.name === name)
  const bare = fields.flatMap(({ value }) => value.match(BARE_ADDRESS) ?? [])
  return [...listHeader(mail, name).map(({ address }) => address), ...bare].map((one) =>
    one.toLowerCase(),
  )
}

// RFC 3834 section 5, and what older programs set.
const MARKS: readonly (readonly [name: string, value: RegExp])[] = [
  ['auto-submitted', /^(?!no\b)/i],
  ['precedence', /^(?:bulk|junk|list|auto[-_]?reply)/i],
  ['x-autoreply', /./],
  ['x-autorespond', /./],
  ['x-autoresponder', /./],
  ['x-auto-response-suppress', /./],
  ['x-failed-recipients', /./],
  ['x-loop', /./],
  ['list-id', /./],
  ['content-type', /^multipart\/report/i],
]
// Of programs that set no header.
const AUTOMATIC_SUBJECT =
  /^(?:auto(?:matic|mated)?[ -]?(?:reply|response)|out of (?:the )?office|automatische antwort|abwesenheit|réponse automatique|respuesta automática|risposta automatica|automatisch antwoord|resposta automática|автоответ)/i

function findAutomatic(mail: Mail): string | null {
  for (const [name, value] of MARKS) {
    const found = findHeader(mail, name)
    if (found !== null && value.test(found)) return name
  }
  return AUTOMATIC_SUBJECT.test(mail.subject) ? 'subject' : null
}

function listParts(mail: Mail): readonly LetterPart[] {
  const files = mail.parts.filter((part) => part.isAttachment || isEnclosedMail(part))
  return files.slice(0, PARTS_MAX).map(({ path, mediaType, fileName, bytes }) => ({
    path,
    mediaType: clean(mediaType, FIELD_LENGTH_MAX),
    fileName: fileName === null ? null : clean(fileName, FIELD_LENGTH_MAX),
    byteLength: bytes.length,
  }))
}

function findText(mail: Mail, mediaType: string): string | null {
  return mail.parts.find((part) => part.mediaType === mediaType)?.text ?? null
}

function readField(group: string, name: string): string {
  const found = new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(group)?.[1] ?? ''
  return clean(found, FIELD_LENGTH_MAX)
}

/** The groups of RFC 3464 section 2.3; of another bounce, what its text says. */
function readBounces(mail: Mail, lines: readonly string[]): readonly BounceGroup[] {
  const status = findText(mail, 'message/delivery-status')
  if (status === null) return readOddBounce(mail, lines)
  return status
    .replaceAll(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .slice(0, GROUPS_MAX)
    .flatMap((group) => {
      const action = readField(group, 'action').toLowerCase()
      const code = /^[245]\.\d{1,3}\.\d{1,3}/.exec(readField(group, 'status'))?.[0] ?? ''
      return action === '' ? [] : [{ action, status: code, recipients: listNamed(group) }]
    })
}

// RFC 3464 sections 2.3.1 and 2.3.2. An address of another type names somebody, too.
function listNamed(group: string): readonly string[] {
  const fields = ['original-recipient', 'final-recipient'].map((name) => readField(group, name))
  return fields.flatMap((value) => {
    const [address = ''] = value
      .replace(/^[\w.-]+[ \t]*;/, '')
      .trim()
      .split(/\s/)
    return address === '' ? [] : [address.replaceAll(/[<>]/g, '').toLowerCase()]
  })
}

// qmail and Exim send bounces without a report for programs.
const ODD_LINES_MAX = 60
const ODD_BOUNCE = /^(?:x-failed-recipients)$/i
const ODD_SUBJECT =
  /^(?:failure notice|undeliver|delivery (?:status )?(?:failure|failed)|mail delivery failed|returned mail)/i

function readOddBounce(mail: Mail, lines: readonly string[]): readonly BounceGroup[] {
  const isOdd =
    ODD_SUBJECT.test(mail.subject) || mail.headers.some(({ name }) => ODD_BOUNCE.test(name))
  if (!isOdd) return []
  const text = lines.slice(0, ODD_LINES_MAX).join('\n')
  const status = /(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text)?.[1]
  const code = /(?<![\d.])([45])\d\d[ -]/.exec(text)?.[1]
  if (status === undefined && code === undefined) return []
  const failed = listAddresses(mail, 'x-failed-recipients')
  const written = [...text.matchAll(EMAIL_IN_TEXT)].map(([one]) => one.toLowerCase())
  const recipients = [...new Set(failed.length > 0 ? failed : written)]
  return [{ action: 'failed', status: status ?? `${code}.0.0`, recipients }]
}

// The headers of our own mail, as it came back.
function listEnclosedAddresses({ bytes }: MailPart): readonly string[] {
  const mail = parseMail(bytes, READING_LIMITS)
  return ['reply-to', 'return-path'].flatMap((name) => listAddresses(mail, name))
}

// Line ends and tabs stay. Bidi controls would show a text in another order than it is.
function clean(text: string, lengthMax: number): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed()
}
