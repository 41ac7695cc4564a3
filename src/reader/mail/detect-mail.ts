// Decides whether bytes are a mail, and wraps other content (an archive, a table, XML, text) as a
// mail of one part.

import { readParameters } from './header-parameters.ts'
import type { Mail, MailPart } from './mail.ts'
import { isTextual, readText } from './parse-mail.ts'

// Header fields at the start of mails. Two of them are needed, because a plain text may also start
// with `Date:` or `Subject:`.
const USUAL: ReadonlySet<string> = new Set([
  'received',
  'return-path',
  'delivered-to',
  'from',
  'to',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'sender',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'dkim-signature',
  'arc-seal',
  'arc-message-signature',
  'arc-authentication-results',
  'authentication-results',
  'received-spf',
  'list-id',
  'auto-submitted',
  'user-agent',
  'x-mailer',
  'x-original-to',
  'envelope-to',
])
const HEAD_BYTES_MAX = 16 * 1024
const USUAL_MIN = 2

/** Looks at the first lines only. */
export function looksLikeMail(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES_MAX)).toString('latin1').trimStart()
  const names = new Set<string>()
  const lines = head.split(/\r\n|\n|\r/)
  for (const [index, line] of lines.entries()) {
    if (/^[ \t]/.test(line)) continue
    if (index === 0 && /^>?From /.test(line)) continue
    const name = /^([!-9;-~]{1,76})[ \t]*:/.exec(line)?.[1]?.toLowerCase()
    // The first line that is no header ends the headers. In damaged mail such a line may stand
    // among them, but only after two headers.
    if (name === undefined) break
    if (USUAL.has(name) || name.startsWith('x-')) names.add(name)
    if ([...names].filter((each) => USUAL.has(each)).length >= USUAL_MIN) return true
  }
  return false
}

const ENCLOSED_TYPE =
  /^(?:message\/(?:rfc822|rfc822-headers|global|global-headers)|text\/rfc822(?:-headers)?)$/

/** A mail as a part of another, or its headers, by its media type or by name and content. */
export function isEnclosedMail({ mediaType, fileName, bytes }: MailPart): boolean {
  if (ENCLOSED_TYPE.test(mediaType)) return true
  return /\.eml$/i.test(fileName ?? '') && looksLikeMail(bytes)
}

/**
 * Wraps the bytes as one part. `mediaType` is the stated one, perhaps with parameters; the first
 * bytes are better evidence.
 */
export function mailOfOnePart(
  bytes: Uint8Array,
  mediaType: string,
  fileName: string | null = null,
): Mail {
  const told = readParameters(mediaType)
  const type = sniffMediaType(bytes) ?? chooseToldType(bytes, told.value)
  const part = {
    path: '1',
    mediaType: type,
    parentType: null,
    fileName,
    isAttachment: false,
    text: isTextual(type, fileName) ? readText(bytes, type, told.parameters) : null,
    bytes,
  }
  return {
    headers: [],
    subject: '',
    messageId: null,
    dateMs: null,
    from: [],
    replyTo: [],
    to: [],
    parts: [part],
    defects: [],
  }
}

function chooseToldType(bytes: Uint8Array, told: string): string {
  if (bytes.subarray(0, 8_192).includes(0)) return 'application/octet-stream'
  // For readable text the stated type is used only if it is a text type; another type is a mistake.
  const isJson = told.endsWith('json') && /^[\s\uFEFF]*[[{]/.test(headOf(bytes))
  return isJson || /^text\/[^/\s]+$/.test(told) || told.endsWith('xml') ? told : 'text/plain'
}

function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1_024)).toString('utf8')
}

/** Null when the first bytes match no known type. */
export function sniffMediaType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'application/zip'
  if (head.startsWith('\x1f\x8b')) return 'application/gzip'
  if (head.startsWith('%PDF-')) return 'application/pdf'
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (/^<(?:!doctype html|html)\b/i.test(text)) return 'text/html'
  if (text.startsWith('<?xml')) return 'application/xml'
  return null
}
