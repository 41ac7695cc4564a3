// Reads the central directory of a zip file (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.5) and its
// entries. It is synchronous, like all readers of reports, and trusts no number: offsets outside
// the file, overlaps and wrong sizes are refused before inflating.

import { crc32, inflateRawSync } from 'node:zlib'
import type { ArchiveLimits } from '../mail/reading-limits.ts'
import { ArchiveTrouble, inflateBounded } from './inflate-bounded.ts'

export interface ZipEntry {
  /** Shortened, without control characters; the name of a folder ends with `/`. */
  readonly path: string
  readonly isEncrypted: boolean
  /** 0 stored, 8 deflated; nothing else is read. */
  readonly method: number
  readonly checksum: number
  readonly packedBytes: number
  /** As stated in the directory. */
  readonly unpackedBytes: number
  /** Of the packed content. */
  readonly start: number
}

const END_SIGNATURE = 0x06054b50
const END_LENGTH = 22
const COMMENT_LENGTH_MAX = 65_535
const LOCATOR_SIGNATURE = 0x07064b50
const LOCATOR_LENGTH = 20
const END64_SIGNATURE = 0x06064b50
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_LENGTH = 46
const LOCAL_SIGNATURE = 0x04034b50
const LOCAL_LENGTH = 30
const PATH_LENGTH_MAX = 255
const IN_ZIP64 = 0xffff_ffff

interface Directory {
  readonly count: number
  readonly start: number
  readonly end: number
  /** Bytes before the start of the archive; its offsets do not include them. */
  readonly shift: number
}

/** Throws ArchiveTrouble when the directory is invalid or exceeds a limit. */
export function listZipEntries(bytes: Buffer, limits: ArchiveLimits): readonly ZipEntry[] {
  const directory = findDirectory(bytes)
  if (directory.count > limits.entriesMax) {
    throw new ArchiveTrouble('limit', `It has more than ${limits.entriesMax} entries.`)
  }
  const entries: ZipEntry[] = []
  let at = directory.start
  for (let index = 0; index < directory.count; index += 1) {
    const isInside = at + ENTRY_LENGTH <= directory.end
    if (!isInside || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damaged()
    const nameLength = bytes.readUInt16LE(at + 28)
    const extraLength = bytes.readUInt16LE(at + 30)
    const next = at + ENTRY_LENGTH + nameLength + extraLength + bytes.readUInt16LE(at + 32)
    if (next > directory.end) throw damaged()
    entries.push(readEntry(bytes, at, directory.shift))
    at = next
  }
  refuseOverlaps(entries)
  return entries
}

function damaged(): ArchiveTrouble {
  return new ArchiveTrouble('damaged', 'It is damaged.')
}

function findDirectory(bytes: Buffer): Directory {
  const earliest = Math.max(0, bytes.length - END_LENGTH - COMMENT_LENGTH_MAX)
  const found = bytes.subarray(earliest).lastIndexOf(Buffer.from('PK\x05\x06'))
  const end = earliest + found
  if (found === -1 || end + END_LENGTH > bytes.length) throw damaged()
  if (bytes.readUInt32LE(end) !== END_SIGNATURE) throw damaged()
  const told = {
    count: bytes.readUInt16LE(end + 10),
    length: bytes.readUInt32LE(end + 12),
    start: bytes.readUInt32LE(end + 16),
    end,
  }
  const isZip64 = told.count === 0xffff || told.length === IN_ZIP64 || told.start === IN_ZIP64
  const {
    count,
    length,
    start,
    end: directoryEnd,
  } = isZip64 ? (readEnd64(bytes, end) ?? told) : told
  // A self-extracting archive starts with a program.
  const shift = directoryEnd - length - start
  if (shift < 0 || start + shift < 0 || directoryEnd > bytes.length) throw damaged()
  return { count, start: start + shift, end: directoryEnd, shift }
}

interface ToldDirectory {
  readonly count: number
  readonly length: number
  readonly start: number
  readonly end: number
}

/** Null when the archive has no such record after all. */
function readEnd64(bytes: Buffer, end: number): ToldDirectory | null {
  const locator = end - LOCATOR_LENGTH
  if (locator < 0 || bytes.readUInt32LE(locator) !== LOCATOR_SIGNATURE) return null
  const at = readLong(bytes, locator + 8)
  if (at + 56 > locator || bytes.readUInt32LE(at) !== END64_SIGNATURE) throw damaged()
  return {
    count: readLong(bytes, at + 32),
    length: readLong(bytes, at + 40),
    start: readLong(bytes, at + 48),
    end: at,
  }
}

function readLong(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged()
  return Number(value)
}

function readEntry(bytes: Buffer, at: number, shift: number): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8)
  const nameEnd = at + ENTRY_LENGTH + bytes.readUInt16LE(at + 28)
  const extra = bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(at + 30))
  const [unpackedBytes, packedBytes, offset] = readSizes(
    [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)],
    extra,
  )
  const local = offset + shift
  if (local + LOCAL_LENGTH > bytes.length || bytes.readUInt32LE(local) !== LOCAL_SIGNATURE) {
    throw damaged()
  }
  const start =
    local + LOCAL_LENGTH + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  if (start + packedBytes > bytes.length) throw damaged()
  return {
    path: readPath(bytes.subarray(at + ENTRY_LENGTH, nameEnd)),
    isEncrypted: (flags & 1) === 1,
    method: bytes.readUInt16LE(at + 10),
    checksum: bytes.readUInt32LE(at + 16),
    packedBytes,
    unpackedBytes,
    start,
  }
}

type Sizes = readonly [unpacked: number, packed: number, offset: number]

/** A value too large for its field is in the zip64 extra field, in this order (APPNOTE 4.5.3). */
function readSizes(told: Sizes, extra: Buffer): Sizes {
  if (!told.includes(IN_ZIP64)) return told
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) {
    at += 4 + extra.readUInt16LE(at + 2)
  }
  const sizes: number[] = []
  let from = at + 4
  for (const value of told) {
    if (value !== IN_ZIP64) {
      sizes.push(value)
      continue
    }
    if (from + 8 > extra.length) throw damaged()
    sizes.push(readLong(extra, from))
    from += 8
  }
  const [unpacked = 0, packed = 0, offset = 0] = sizes
  return [unpacked, packed, offset]
}

function readPath(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, PATH_LENGTH_MAX)
}

// Overlapping entries are a zip bomb: a few kilobytes expand to petabytes.
function refuseOverlaps(entries: readonly ZipEntry[]): void {
  let end = 0
  for (const { start, packedBytes } of entries.toSorted(
    (left, right) => left.start - right.start,
  )) {
    if (start < end) throw new ArchiveTrouble('limit', 'Its entries overlap.')
    end = start + packedBytes
  }
}

/** The content of one entry, at most `left` bytes. Throws ArchiveTrouble. */
export function readZipEntry(
  bytes: Buffer,
  entry: ZipEntry,
  limits: ArchiveLimits,
  left: number,
): Uint8Array {
  if (entry.isEncrypted) throw new ArchiveTrouble('damaged', 'It is encrypted.')
  const packed = bytes.subarray(entry.start, entry.start + entry.packedBytes)
  if (entry.method !== 0 && entry.method !== 8) {
    throw new ArchiveTrouble('damaged', 'It is packed in a way that is not known here.')
  }
  const inflate = entry.method === 0 ? (stored: Uint8Array) => stored : inflateRawSync
  const content = inflateBounded(packed, limits, left, inflate)
  if (crc32(content) !== entry.checksum) throw damaged()
  return content
}
