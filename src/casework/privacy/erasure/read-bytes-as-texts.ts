// The bytes of a raw report as texts that may contain an address: as they are, without the zero
// bytes of UTF-16, decoded from quoted-printable, and decoded from base64. Anybody can send a
// report, so each step is one walk over the bytes: no regular expression, no recursion, and never
// more than two copies of the report at a time.

const CR = 0x0d
const LF = 0x0a
const EQUALS = 0x3d
const SLASH = 0x2f
const BACKSLASH = 0x5c
// A shorter run of base64 on its first line could be chance. Twelve characters are nine bytes.
const BASE64_RUN_MIN = 12

/** Addresses are ASCII; other bytes become characters that are no part of an address. */
export function* readBytesAsTexts(bytes: Buffer): Generator<string> {
  yield* readWithoutZeros(bytes)
  const decoded = decodeQuotedPrintable(bytes)
  if (decoded !== null) yield decoded.toString('latin1')
  const unpacked = decodeBase64Runs(bytes)
  if (unpacked !== null) yield* readWithoutZeros(unpacked)
}

function* readWithoutZeros(bytes: Buffer): Generator<string> {
  yield bytes.toString('latin1')
  if (bytes.includes(0)) yield withoutZeros(bytes).toString('latin1')
}

function withoutZeros(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (const byte of bytes) {
    if (byte === 0) continue
    kept[length] = byte
    length += 1
  }
  return kept.subarray(0, length)
}

/** Null when nothing in it is encoded. */
function decodeQuotedPrintable(bytes: Buffer): Buffer | null {
  // First the soft line breaks, because one may stand within a code.
  const joined = withoutSoftBreaks(bytes)
  const decoded = Buffer.allocUnsafe(joined.length)
  let length = 0
  let at = 0
  while (at < joined.length) {
    const byte = joined[at] ?? 0
    const code = byte === EQUALS ? readHexPair(joined, at + 1) : -1
    decoded[length] = code === -1 ? byte : code
    length += 1
    at += code === -1 ? 1 : 3
  }
  return length === bytes.length ? null : decoded.subarray(0, length)
}

function withoutSoftBreaks(bytes: Buffer): Buffer {
  if (!bytes.includes('=\n') && !bytes.includes('=\r\n')) return bytes
  const kept = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let at = 0
  while (at < bytes.length) {
    const breakEnd = bytes[at] === EQUALS ? endLineBreak(bytes, at + 1) : at + 1
    if (breakEnd > at + 1) {
      at = breakEnd
      continue
    }
    kept[length] = bytes[at] ?? 0
    length += 1
    at += 1
  }
  return kept.subarray(0, length)
}

/** The end of the line break that begins here, or the same index. */
function endLineBreak(bytes: Buffer, at: number): number {
  if (bytes[at] === LF) return at + 1
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at
}

function readHexPair(bytes: Buffer, at: number): number {
  const high = readHexDigit(bytes[at])
  const low = readHexDigit(bytes[at + 1])
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

function readHexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/**
 * Every run of base64, with a line feed behind each, so that the millions of short runs that fit
 * into a report cost no more than one long run. Null when there is none.
 */
function decodeBase64Runs(bytes: Buffer): Buffer | null {
  // A run is at least 12 characters, which are 9 bytes and a line feed.
  const decoded = Buffer.allocUnsafe(Math.ceil((bytes.length * 10) / 12))
  let length = 0
  let at = 0
  while (at < bytes.length) {
    const line = endBase64Line(bytes, at)
    if (line.count < BASE64_RUN_MIN) {
      at = skipOtherBytes(bytes, Math.max(line.end, at + 1))
      continue
    }
    const end = endBase64Run(bytes, line.end)
    // Skips line breaks, and the backslash that JSON may write before a slash.
    length += decoded.write(bytes.toString('latin1', at, end), length, 'base64')
    decoded[length] = LF
    length += 1
    at = end
  }
  return length === 0 ? null : decoded.subarray(0, length)
}

/** The next byte that may begin a run. */
function skipOtherBytes(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && IS_BASE64[bytes[at] ?? 0] !== true) at += 1
  return at > from && bytes[at - 1] === BACKSLASH ? at - 1 : at
}

/** Consecutive lines of base64 without an empty line. `firstEnd`: the end of the first of them. */
function endBase64Run(bytes: Buffer, firstEnd: number): number {
  let end = firstEnd
  for (;;) {
    const lineStart = endLineBreak(bytes, end)
    const line = lineStart === end ? null : endBase64Line(bytes, lineStart)
    if (line === null || line.count === 0) return end
    end = line.end
  }
}

/** The end of the characters of base64 that begin here, and their number. JSON escapes a slash. */
function endBase64Line(bytes: Buffer, from: number): { readonly end: number; count: number } {
  let end = from
  let count = 0
  for (;;) {
    if (IS_BASE64[bytes[end] ?? 0] === true) end += 1
    else if (bytes[end] === BACKSLASH && bytes[end + 1] === SLASH) end += 2
    else return { end, count }
    count += 1
  }
}

const IS_BASE64: readonly boolean[] = Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/]/.test(String.fromCharCode(code)),
)
