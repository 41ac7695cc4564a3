// Unpacks zip and gzip in memory, within limits. The directory of a zip is checked before any entry
// is inflated. Names of entries are labels and never become paths.

import { gunzipSync } from 'node:zlib'
import { type ArchiveLimits, READING_LIMITS } from '../mail/reading-limits.ts'
import { ArchiveTrouble, inflateBounded } from './inflate-bounded.ts'
import { listZipEntries, readZipEntry, type ZipEntry } from './zip-entries.ts'

interface ArchiveEntry {
  /**
   * The path in the archive, shortened, without control characters: `xl/worksheets/sheet1.xml`. It
   * is only a label.
   */
  readonly path: string
  /** The last segment of the path. */
  readonly name: string
  readonly bytes: Uint8Array
}

export interface Archive {
  readonly kind: 'zip' | 'gzip'
  /**
   * In the order of the archive, without folders and unwanted entries; empty after a refusal.
   */
  readonly entries: readonly ArchiveEntry[]
  /** The limit that the archive exceeds, as a public sentence. */
  readonly refusal: string | null
  /** Encrypted and damaged entries, a sentence each; only the first few. */
  readonly problems: readonly string[]
}

const PROBLEMS_MAX = 10

/**
 * Null when the first bytes are neither zip nor gzip. Only the entries whose path `wants` accepts
 * are inflated and counted.
 */
export function openArchive(
  bytes: Uint8Array,
  fileName: string | null,
  limits: ArchiveLimits = READING_LIMITS.archive,
  wants: (path: string) => boolean = () => true,
): Archive | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) return openGzip(buffer, fileName, limits)
  const magic = buffer.toString('latin1', 0, 4)
  if (magic !== 'PK\x03\x04' && magic !== 'PK\x05\x06') return null
  return openZip(buffer, limits, wants)
}

function openGzip(bytes: Buffer, fileName: string | null, limits: ArchiveLimits): Archive {
  const path = (fileName ?? '').replace(/\.t?gz(?:ip)?$/i, '') || 'content'
  try {
    const content = inflateBounded(bytes, limits, limits.unpackedBytesMax, gunzipSync)
    return { kind: 'gzip', entries: [nameEntry(path, content)], refusal: null, problems: [] }
  } catch (error) {
    if (!(error instanceof ArchiveTrouble)) throw error
    return refuse('gzip', error)
  }
}

function openZip(bytes: Buffer, limits: ArchiveLimits, wants: (path: string) => boolean): Archive {
  const entries: ArchiveEntry[] = []
  const problems: string[] = []
  let left = limits.unpackedBytesMax
  try {
    const wanted = listZipEntries(bytes, limits).filter(
      ({ path }) => !path.endsWith('/') && wants(path),
    )
    judgeSizes(wanted, limits)
    for (const entry of wanted) {
      const content = tryEntry(bytes, entry, limits, left, problems)
      if (content === null) continue
      left -= content.length
      entries.push(nameEntry(entry.path, content))
    }
    return { kind: 'zip', entries, refusal: null, problems: problems.slice(0, PROBLEMS_MAX) }
  } catch (error) {
    if (!(error instanceof ArchiveTrouble)) throw error
    return refuse('zip', error)
  }
}

// The sizes in the directory are enough to refuse an archive. Inflating checks that they are true.
function judgeSizes(entries: readonly ZipEntry[], limits: ArchiveLimits): void {
  const total = entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0)
  if (total > limits.unpackedBytesMax) {
    throw new ArchiveTrouble('limit', 'It unpacks to more than is read of one report.')
  }
}

function tryEntry(
  bytes: Buffer,
  entry: ZipEntry,
  limits: ArchiveLimits,
  left: number,
  problems: string[],
): Uint8Array | null {
  try {
    return readZipEntry(bytes, entry, limits, left)
  } catch (error) {
    if (!(error instanceof ArchiveTrouble) || error.kind === 'limit') throw error
    problems.push(`"${entry.path}" in the archive is not read. ${error.message}`)
    return null
  }
}

function refuse(kind: Archive['kind'], trouble: ArchiveTrouble): Archive {
  const sentence = `An archive is not read. ${trouble.message}`
  return trouble.kind === 'limit'
    ? { kind, entries: [], refusal: sentence, problems: [] }
    : { kind, entries: [], refusal: null, problems: [sentence] }
}

function nameEntry(path: string, bytes: Uint8Array): ArchiveEntry {
  return { path, name: path.split(/[/\\]/).at(-1) || 'content', bytes }
}
