// Tables as words in one shared buffer that is also their file: a header, then named sections.
// Little-endian throughout, as every machine Node runs on.

/** The first words of a buffer, and its sections in their order. */
export interface BinaryLayout<Name extends string> {
  /** Four characters as a little-endian word. */
  readonly magic: number
  /**
   * Raised with every change of the content's meaning; a file of another version is built again.
   */
  readonly version: number
  readonly sections: readonly Name[]
}

const MAGIC = 0
const VERSION = 1
export const CHECKSUM_WORD = 2
const TOTAL_WORDS = 3
// [offset, length] in words for each section.
const TABLE = 4
// Sections begin at a cache line (64 bytes), so that no entry of 16 bytes lies across two lines.
const LINE_WORDS = 16

/** The checksum covers everything after its own word. */
export const CHECKED_FROM_BYTE = 12

/** Enough bytes to know the length of the whole. */
export const PREAMBLE_BYTES = 16

/** The bytes are of another layout, or not complete. */
export class BinaryLayoutError extends Error {
  readonly reason: 'foreign' | 'other-version' | 'torn' | 'corrupt'

  constructor(reason: BinaryLayoutError['reason'], message: string) {
    super(message)
    this.name = 'BinaryLayoutError'
    this.reason = reason
  }
}

/** A zeroed buffer with everything of its header but the checksum. Lengths are in words. */
export function allocateSections<Name extends string>(
  layout: BinaryLayout<Name>,
  lengths: Readonly<Record<Name, number>>,
): SharedArrayBuffer {
  const table: number[] = []
  const headerWords = TABLE + layout.sections.length * 2
  let offset = Math.ceil(headerWords / LINE_WORDS) * LINE_WORDS
  for (const name of layout.sections) {
    table.push(offset, lengths[name])
    offset += Math.ceil(lengths[name] / LINE_WORDS) * LINE_WORDS
  }
  const buffer = new SharedArrayBuffer(offset * 4)
  const header = new Uint32Array(buffer, 0, headerWords)
  header[MAGIC] = layout.magic
  header[VERSION] = layout.version
  header[TOTAL_WORDS] = offset
  header.set(table, TABLE)
  return buffer
}

/**
 * The number of bytes of the whole, by its first words. Throws `BinaryLayoutError` when they are of
 * another layout or version.
 */
export function totalBytesOf(layout: BinaryLayout<string>, preamble: Uint32Array): number {
  if (preamble.length <= TOTAL_WORDS || preamble[MAGIC] !== layout.magic) {
    throw new BinaryLayoutError('foreign', 'The content is of another kind.')
  }
  if (preamble[VERSION] !== layout.version) {
    throw new BinaryLayoutError('other-version', 'The content is of another version.')
  }
  return (preamble[TOTAL_WORDS] ?? 0) * 4
}

/** The words of each section by name. Throws `BinaryLayoutError`; does not compute the checksum. */
export function openSections<Name extends string>(
  layout: BinaryLayout<Name>,
  buffer: SharedArrayBuffer,
): (name: Name) => Uint32Array {
  const header = new Uint32Array(buffer, 0, Math.floor(buffer.byteLength / 4))
  if (totalBytesOf(layout, header) !== buffer.byteLength) {
    throw new BinaryLayoutError('torn', 'The content is shorter or longer than it says.')
  }
  return (name) => {
    const at = TABLE + layout.sections.indexOf(name) * 2
    const offset = header[at] ?? 0
    const length = header[at + 1] ?? 0
    if ((offset + length) * 4 > buffer.byteLength) {
      throw new BinaryLayoutError('corrupt', `The section ${name} lies outside the content.`)
    }
    return new Uint32Array(buffer, offset * 4, length)
  }
}

/** The same memory as bytes. */
export function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}

export function wordsFor(bytes: number): number {
  return Math.ceil(bytes / 4)
}

/** A value as JSON in whole words; the spaces at its end mean nothing to a reader of JSON. */
export function encodeJson(value: object): Uint8Array {
  const text = Buffer.from(JSON.stringify(value), 'utf8')
  const padded = Buffer.alloc(wordsFor(text.length) * 4, ' ')
  text.copy(padded)
  return padded
}

/** The text of shared bytes. A Buffer decodes shared memory; TextDecoder refuses it. */
export function decodeText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
