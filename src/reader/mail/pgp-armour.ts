// Removes the frame of clear-signed text (RFC 9580 section 7), which a tenth of abuse mail has.

import { decodeCharset } from './decode-charset.ts'
import { decodeTransfer } from './decode-transfer.ts'

const BEGIN = '-----BEGIN PGP '
const SIGNED = `${BEGIN}SIGNED MESSAGE-----`
const SIGNATURE = `${BEGIN}SIGNATURE-----`
const KEY = `${BEGIN}PUBLIC KEY BLOCK-----`
const END = /^-----END PGP [A-Z ]{3,30}-----$/
// `Hash: SHA512` above signed text.
const SIGNED_HEADER = /^(?:Hash|Charset|NotDashEscaped|Comment|Version):/
// A signature or key is headers and an empty line, lines of data, and a checksum (section 6.2).
const ARMOUR_HEADER = /^(?:|(?:Version|Comment|MessageID|Hash|Charset):.*)$/
const DATA = /^[A-Za-z0-9+/]{1,76}={0,2}$/
const CHECKSUM = /^=[A-Za-z0-9+/]{4}$/
// Programs write 64 or 76 characters a line; only the last line is shorter.
const FULL_DATA_LENGTH = 60

/**
 * Lines with the frame, signature and keys left out and dash escaping undone. Text without armour
 * comes back as it is.
 */
export function removeArmour(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.startsWith(BEGIN))) return lines
  const kept: string[] = []
  let signed: string[] | null = null
  // One by one: a text may have more lines than a call takes arguments.
  const keepSigned = (): void => {
    for (const line of undoTransfer(signed ?? [])) kept.push(line)
    signed = null
  }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const bare = line.trimEnd()
    if (bare === SIGNED) {
      keepSigned()
      signed = []
      at = findSignedText(lines, at + 1) - 1
    } else if (bare === SIGNATURE || bare === KEY) {
      keepSigned()
      at = findArmourEnd(lines, at + 1) - 1
    } else if (signed === null) kept.push(line)
    else signed.push(unescapeDash(line))
  }
  keepSigned()
  return kept
}

/** Signed text begins below its headers and an empty line, which some programs leave out. */
function findSignedText(lines: readonly string[], start: number): number {
  let at = start
  while (SIGNED_HEADER.test(lines[at] ?? '')) at += 1
  return lines[at]?.trimEnd() === '' ? at + 1 : at
}

/** The line behind a signature or key. */
function findArmourEnd(lines: readonly string[], start: number): number {
  for (let at = start; at < lines.length; at += 1) {
    const bare = (lines[at] ?? '').trimEnd()
    if (END.test(bare)) return at + 1
    if (bare.startsWith(BEGIN)) break
  }
  return findDataEnd(lines, start)
}

/** The same where the line is missing that ends it: below its data there is text again. */
function findDataEnd(lines: readonly string[], start: number): number {
  const bareAt = (at: number): string | null => lines[at]?.trimEnd() ?? null
  let at = start
  let bare = bareAt(at)
  for (; bare !== null && ARMOUR_HEADER.test(bare); bare = bareAt(at)) at += 1
  for (let isFull = true; isFull && bare !== null && DATA.test(bare); bare = bareAt(at)) {
    isFull = bare.length >= FULL_DATA_LENGTH
    at += 1
  }
  return bare !== null && CHECKSUM.test(bare) ? at + 1 : at
}

function unescapeDash(line: string): string {
  return line.startsWith('- ') ? line.slice(2) : line
}

// Some programs encode before they sign and then send it as plain text.
const SOFT_BREAKS_MIN = 2

function undoTransfer(lines: readonly string[]): readonly string[] {
  const softBreaks = lines.filter((line) => /[^=]=$/.test(line)).length
  const text = lines.join('\n')
  if (softBreaks < SOFT_BREAKS_MIN || !/=(?:3D|20|2E)/.test(text)) return lines
  const bytes = decodeTransfer(Buffer.from(text), 'quoted-printable')
  return decodeCharset(bytes, null).split('\n')
}
