// Decodes the Content-Transfer-Encoding (RFC 2045 section 6). It is lenient: damage loses only the
// damaged piece.

/** Always returns bytes; with an unknown encoding they are unchanged. */
export function decodeTransfer(bytes: Uint8Array, encoding: string): Uint8Array {
  switch (encoding) {
    case 'base64':
      return decodeBase64(bytes)
    case 'quoted-printable':
      return decodeQuotedPrintable(bytes)
    case 'x-uuencode':
    case 'uuencode':
    case 'x-uue':
      return decodeUuencode(bytes)
    default:
      return bytes
  }
}

const EQUALS = 0x3d
const LF = 0x0a
const CR = 0x0d

// Some programs pad each chunk they encode, so padding may stand in the middle; Buffer would end
// there.
function decodeBase64(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  // Without the look-behind, a long run of padding in the middle takes the square of its length.
  const innerPadding = text
    .trimEnd()
    .replace(/(?<!=)=+$/, '')
    .indexOf('=')
  if (innerPadding === -1) return Buffer.from(text, 'base64')
  return Buffer.concat(text.split(/=+/).map((chunk) => Buffer.from(chunk, 'base64')))
}

function decodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(EQUALS)) return bytes
  const decoded = new Uint8Array(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte !== EQUALS) {
      decoded[length] = byte
      length += 1
      continue
    }
    const high = hexDigit(bytes[index + 1])
    const low = hexDigit(bytes[index + 2])
    if (high !== -1 && low !== -1) {
      decoded[length] = high * 16 + low
      length += 1
      index += 2
      continue
    }
    const lineEnd = findSoftBreak(bytes, index + 1)
    if (lineEnd === -1) {
      decoded[length] = EQUALS
      length += 1
    } else {
      index = lineEnd
    }
  }
  return decoded.subarray(0, length)
}

// A mail server may have added blanks after the `=`, at most as many as fit into a line.
const BLANKS_MAX = 80

/** Index of the last byte of the line break that follows, or -1. */
function findSoftBreak(bytes: Uint8Array, start: number): number {
  for (let index = start; index <= start + BLANKS_MAX; index += 1) {
    const byte = bytes[index]
    if (byte === LF || byte === undefined) return index
    if (byte === CR) return bytes[index + 1] === LF ? index + 1 : index
    if (byte !== 0x20 && byte !== 0x09) return -1
  }
  return -1
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

function decodeUuencode(bytes: Uint8Array): Uint8Array {
  const lines = Buffer.from(bytes).toString('latin1').split(/\r?\n/)
  const begin = lines.findIndex((line) => /^begin [0-7]{3} /.test(line))
  if (begin === -1) return bytes
  const chunks: Buffer[] = []
  for (const line of lines.slice(begin + 1)) {
    if (line === 'end') break
    chunks.push(decodeUuLine(line))
  }
  return Buffer.concat(chunks)
}

function decodeUuLine(line: string): Buffer {
  const length = (line.charCodeAt(0) - 32) & 63
  const sixBits = (index: number): number => (line.charCodeAt(index) - 32) & 63
  const decoded = Buffer.alloc(Math.ceil(length / 3) * 3)
  for (let at = 0, from = 1; at < length && from + 3 < line.length + 3; at += 3, from += 4) {
    decoded.writeUIntBE(
      (sixBits(from) << 18) |
        (sixBits(from + 1) << 12) |
        (sixBits(from + 2) << 6) |
        sixBits(from + 3),
      at,
      3,
    )
  }
  return decoded.subarray(0, length)
}
