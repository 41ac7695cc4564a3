// Decodes UTF-7 (RFC 2152), the only charset of real abuse mail that TextDecoder lacks.

const SHIFTED = /\+([A-Za-z0-9+/]*)-?/g

/** Invalid UTF-7 stays unchanged; bytes over 127 are read as Latin-1. */
export function decodeUtf7(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  return text.replaceAll(SHIFTED, (whole, digits: string) => {
    if (digits === '') return whole === '+-' ? '+' : whole
    return decodeUnits(digits)
  })
}

// UTF-16, big end first; bits after the last whole unit are padding.
function decodeUnits(digits: string): string {
  const packed = Buffer.from(digits, 'base64')
  const units: number[] = []
  for (let index = 0; index + 1 < packed.length; index += 2) units.push(packed.readUInt16BE(index))
  return unitsToText(units).toWellFormed()
}

// The number of arguments that is safe for one call.
const UNITS_PER_CALL = 10_000

function unitsToText(units: readonly number[]): string {
  let text = ''
  for (let start = 0; start < units.length; start += UNITS_PER_CALL) {
    text += String.fromCharCode(...units.slice(start, start + UNITS_PER_CALL))
  }
  return text
}
