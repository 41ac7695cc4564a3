// Removes the frame of clear-signed text (RFC 9580 section 7), which a tenth of abuse mail has.

import { decodeCharset } from './decode-charset.ts'
import { decodeTransfer } from './decode-transfer.ts'

const SIGNED = '-----BEGIN PGP SIGNED MESSAGE-----'
const SIGNATURE = '-----BEGIN PGP SIGNATURE-----'
const END = /^-----END PGP [A-Z ]{3,30}-----$/
const KEY = /^-----BEGIN PGP PUBLIC KEY BLOCK-----$/

/**
 * Lines with the frame, signature and keys left out and dash escaping undone. Text without armour
 * comes back as it is.
 */
export function removeArmour(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.startsWith('-----BEGIN PGP '))) return lines
  const kept: string[] = []
  let signed: string[] | null = null
  // One by one: a text may have more lines than a call takes arguments.
  const keepSigned = (): void => {
    for (const line of undoTransfer(signed ?? [])) kept.push(line)
  }
  let state: 'text' | 'headers' | 'signed' | 'skipped' = 'text'
  for (const line of lines) {
    const bare = line.trimEnd()
    if (state === 'skipped') {
      if (END.test(bare)) state = 'text'
    } else if (bare === SIGNED) {
      keepSigned()
      signed = []
      state = 'headers'
    } else if (state === 'headers') {
      // `Hash: SHA512` and an empty line; without that line the text begins where the headers end.
      if (bare === '') state = 'signed'
      else if (!/^(?:Hash|Charset|NotDashEscaped|Comment|Version):/.test(bare)) {
        state = 'signed'
        signed?.push(unescapeDash(line))
      }
    } else if (bare === SIGNATURE || KEY.test(bare)) {
      keepSigned()
      signed = null
      state = 'skipped'
    } else if (state === 'signed') {
      signed?.push(unescapeDash(line))
    } else {
      kept.push(line)
    }
  }
  keepSigned()
  return kept
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
