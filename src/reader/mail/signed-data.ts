// Extracts the content of a mail that was signed as one piece (S/MIME, RFC 8551 section 3.5.2): CMS
// SignedData (RFC 5652 section 5) contains it in clear. The signature is not verified. Only the BER
// elements on the way to the content are parsed.

const SEQUENCE = 0x30
const OBJECT_ID = 0x06
const OCTETS = 0x04
const OCTETS_IN_PIECES = 0x24
const CONTEXT_0 = 0xa0
// 1.2.840.113549.1.7.2 and .1, as they are written.
const SIGNED_DATA = '2a864886f70d010702'
const DATA = '2a864886f70d010701'
// Programs write the content in pieces of 1 kB or more, within one another a few deep at most.
const PIECES_MAX = 100_000
const DEPTH_MAX = 8

interface Element {
  readonly tag: number
  readonly start: number
  /** The end of what holds it where its own length is not written. */
  readonly end: number
  /** Of indefinite length: two bytes of zero end it. */
  readonly isOpen: boolean
}

/** Null when the bytes are encrypted, damaged, a detached signature or no CMS. Linear time. */
export function openSignedData(bytes: Uint8Array): Uint8Array | null {
  const signed = readContent(bytes, readElement(bytes, 0, bytes.length), SIGNED_DATA)
  const body = signed === null ? null : readElement(bytes, signed.start, signed.end)
  if (body === null || body.tag !== SEQUENCE) return null
  // Version, the digest algorithms, then what was signed.
  const version = readElement(bytes, body.start, body.end)
  const digests = version === null ? null : readElement(bytes, version.end, body.end)
  if (digests === null || digests.isOpen) return null
  const holder = readContent(bytes, readElement(bytes, digests.end, body.end), DATA)
  const octets = holder === null ? null : readElement(bytes, holder.start, holder.end)
  if (octets === null) return null
  const pieces: Uint8Array[] = []
  return collectOctets(bytes, octets, pieces, 0) === null ? null : Buffer.concat(pieces)
}

/** The `[0]` of a sequence that begins with this object identifier. */
function readContent(
  bytes: Uint8Array,
  sequence: Element | null,
  objectId: string,
): Element | null {
  if (sequence === null || sequence.tag !== SEQUENCE) return null
  const id = readElement(bytes, sequence.start, sequence.end)
  if (id === null || id.tag !== OBJECT_ID) return null
  if (Buffer.from(bytes.subarray(id.start, id.end)).toString('hex') !== objectId) return null
  const content = readElement(bytes, id.end, sequence.end)
  return content === null || content.tag !== CONTEXT_0 ? null : content
}

function readElement(bytes: Uint8Array, at: number, limit: number): Element | null {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined || at + 2 > limit) return null
  if (first === 0x80) return { tag, start: at + 2, end: limit, isOpen: true }
  if (first < 0x80) return closed(tag, at + 2, first, limit)
  const size = first & 0x7f
  if (size > 4 || at + 2 + size > limit) return null
  const length = bytes.subarray(at + 2, at + 2 + size).reduce((sum, byte) => sum * 256 + byte, 0)
  return closed(tag, at + 2 + size, length, limit)
}

function closed(tag: number, start: number, length: number, limit: number): Element | null {
  return start + length > limit ? null : { tag, start, end: start + length, isOpen: false }
}

/** Where the octets end; null when they are damaged or too many. */
function collectOctets(
  bytes: Uint8Array,
  element: Element,
  pieces: Uint8Array[],
  depth: number,
): number | null {
  if (element.tag === OCTETS && !element.isOpen) {
    if (pieces.length >= PIECES_MAX) return null
    pieces.push(bytes.subarray(element.start, element.end))
    return element.end
  }
  if (element.tag !== OCTETS_IN_PIECES || depth > DEPTH_MAX) return null
  let at = element.start
  while (at < element.end) {
    if (element.isOpen && bytes[at] === 0 && bytes[at + 1] === 0) return at + 2
    const piece = readElement(bytes, at, element.end)
    const end = piece === null ? null : collectOctets(bytes, piece, pieces, depth + 1)
    if (end === null) return null
    at = end
  }
  return element.isOpen ? null : at
}
