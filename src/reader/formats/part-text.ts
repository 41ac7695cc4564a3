// The text of an attachment, whatever media type it came with: tables and XML are often sent as
// `application/octet-stream`.

import type { MailPart } from '../mail/mail.ts'

// A mail has at most 25 MB; an unpacked table may be larger, but 10,000 rows of it are not.
const BYTES_MAX = 25_000_000

/** Null for what is no text. Lines end with `\n`; there is no byte order mark. */
export function readPartText(part: MailPart): string | null {
  const text = part.text ?? decodeText(part.bytes.subarray(0, BYTES_MAX))
  if (text === null) return null
  return text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
}

/** As a finding names the part. */
export function namePart(part: MailPart): string {
  if (part.fileName !== null && part.fileName !== '') return `attachment ${part.fileName}`
  return part.mediaType === 'text/html' ? 'html' : 'text'
}

function decodeText(bytes: Uint8Array): string | null {
  const charset = guessCharset(bytes)
  if (charset === null) return null
  try {
    return new TextDecoder(charset, { fatal: charset === 'utf-8' }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

// Spreadsheet programs save "Unicode text" as UTF-16 with a byte order mark. A NUL byte elsewhere
// means that it is no text.
function guessCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes.subarray(0, 4_096).includes(0) ? null : 'utf-8'
}
