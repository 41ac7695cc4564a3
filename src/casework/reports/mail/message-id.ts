// The Message-ID of raw mail (RFC 5322 section 3.6.4), without parsing the mail: it is stored
// before anybody reads it.

// Trace headers come first and may be long; a mail whose header is longer has its Message-ID in the
// report only.
const HEADER_BYTES_MAX = 65_536
// RFC 5322 section 2.1.1, the longest line.
const LENGTH_MAX = 998

/** With its angle brackets; null when the bytes are no mail or name none. */
export function findMessageId(bytes: Buffer): string | null {
  const head = bytes.subarray(0, HEADER_BYTES_MAX).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length
  const found = /^message-id:(?:[ \t]|\r?\n[ \t])*(<[^<>\s]+>)/im.exec(head.slice(0, end))?.[1]
  // Latin-1 has no NUL problem but for NUL itself, which PostgreSQL does not keep.
  return found === undefined || found.length > LENGTH_MAX || found.includes('\0') ? null : found
}
