// Decodes bytes by the charset name of a mail, which is often missing, misspelt or wrong. ASCII is
// decoded correctly under any name.

import { decodeUtf7 } from './decode-utf7.ts'

/**
 * Never throws. Without a name, or with a name that is clearly wrong, the text is UTF-8 if the
 * bytes are valid UTF-8, else Windows-1252.
 */
export function decodeCharset(bytes: Uint8Array, name: string | null): string {
  const marked = findMarkedCharset(bytes)
  if (marked !== null) return new TextDecoder(marked).decode(bytes)
  const label = normaliseName(name ?? '')
  if (label === 'utf-7') return decodeUtf7(bytes)
  if (label.startsWith('utf-16') && !looksLikeUtf16(bytes)) return decodeUndeclared(bytes)
  const decoder = UNDECLARED.has(label) ? null : findDecoder(label)
  return decoder === null ? decodeUndeclared(bytes) : decoder.decode(bytes)
}

// Many programs write these names without knowing the charset, so valid UTF-8 wins over them.
const UNDECLARED: ReadonlySet<string> = new Set(['', 'utf-8', 'utf8', 'us-ascii', 'ascii'])

function decodeUndeclared(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

// A byte order mark is better evidence than a name.
function findMarkedCharset(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

// Western text in UTF-16 has a zero in every second byte. ASCII that is wrongly labelled as UTF-16
// has none.
function looksLikeUtf16(bytes: Uint8Array): boolean {
  return bytes.length % 2 === 0 && (bytes.includes(0) || bytes.some((byte) => byte > 127))
}

// Charset names in mails that are missing in the Encoding Standard.
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['unicode-1-1-utf-7', 'utf-7'],
  ['utf7', 'utf-7'],
  ['utf-8-mac', 'utf-8'],
  ['cp932', 'shift_jis'],
  ['windows-932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['windows-936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['cp950', 'big5'],
  ['windows-950', 'big5'],
  ['cp874', 'windows-874'],
  ['tis620', 'windows-874'],
  ['iso-8859-8i', 'iso-8859-8-i'],
  ['eucjp', 'euc-jp'],
  ['ansi_x3.110-1983', 'iso-8859-1'],
])

function normaliseName(name: string): string {
  const label = name
    .trim()
    .toLowerCase()
    .replaceAll(/^["']|["']$/g, '')
  // RFC 2231 section 5 lets a language follow.
  const bare = label.split('*')[0] ?? ''
  return ALIASES.get(bare) ?? ALIASES.get(bare.replace(/^x-/, '')) ?? bare
}

function findDecoder(label: string): TextDecoder | null {
  for (const candidate of [
    label,
    label.replace(/^x-/, ''),
    label.replace(/^cp(\d)/, 'windows-$1'),
  ]) {
    try {
      return new TextDecoder(candidate)
    } catch {
      // Unknown, or one of those that the standard replaces by nothing at all (ISO-2022-KR, HZ):
      // read as undeclared.
    }
  }
  return null
}
