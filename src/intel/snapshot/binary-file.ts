// A shared buffer as a file. It is written to a temporary name and renamed, so that a reader finds
// the old or the new file and never a part. It is read in one pass, and its checksum is compared.

import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../../kernel/sync-folder.ts'
import {
  type BinaryLayout,
  BinaryLayoutError,
  CHECKED_FROM_BYTE,
  CHECKSUM_WORD,
  PREAMBLE_BYTES,
  totalBytesOf,
} from './binary-layout.ts'

// Reads of 8 MiB reach the speed of the page cache, larger ones gain nothing.
const STEP_BYTES = 8 * 1024 * 1024
// The kernel does one write without a pause: a write of 8 MiB keeps a processor from the serving
// thread for 10 ms.
const WRITE_BYTES = 256 * 1024

/** The file cannot be used; the caller builds it anew from its source. */
export class BinaryFileError extends Error {
  readonly reason: 'missing' | 'unreadable' | BinaryLayoutError['reason']

  constructor(reason: BinaryFileError['reason'], file: string, cause: unknown) {
    super(`The file ${file} cannot be used: ${reason}.`, { cause })
    this.name = 'BinaryFileError'
    this.reason = reason
  }
}

/**
 * Atomic and durable: file and folder are synced before this returns. Throws the error of the file
 * system. For a thread or process in the background: it blocks the caller, since the thread pool of
 * the process would do the work at the priority of the serving thread.
 */
export function writeBinaryFile(buffer: SharedArrayBuffer, file: string): void {
  const bytes = Buffer.from(buffer)
  const header = sealHeader(bytes, checksum(bytes))
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const descriptor = openSync(temporary, 'wx')
    try {
      // The buffer itself stays untouched, since other threads read it.
      writeAll(descriptor, header, 0)
      writeAll(descriptor, bytes.subarray(CHECKED_FROM_BYTE), CHECKED_FROM_BYTE)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporary, file)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
  syncFolder(path.dirname(file))
}

function checksum(bytes: Buffer): number {
  let crc = 0
  for (let at = CHECKED_FROM_BYTE; at < bytes.length; at += STEP_BYTES) {
    crc = crc32(bytes.subarray(at, at + STEP_BYTES), crc)
  }
  return crc
}

/** A copy of the first bytes, with the checksum of the rest. */
function sealHeader(bytes: Buffer, crc: number): Buffer {
  const header = Buffer.from(bytes.subarray(0, CHECKED_FROM_BYTE))
  header.writeUInt32LE(crc, CHECKSUM_WORD * 4)
  return header
}

/** A buffer as the bytes of its file, of which none is written. */
export interface SealedBinary {
  readonly byteLength: number
  readonly checksum: number
  /** The bytes from `first` up to `end`, exclusive, in pieces of at most 256 KiB. */
  readonly slice: (first: number, end: number) => Generator<Buffer>
}

// 1 MiB takes some 0.1 ms.
const TURN_BYTES = 1024 * 1024

/** For the serving thread: requests are answered while the checksum is made. */
export async function sealBinary(buffer: SharedArrayBuffer): Promise<SealedBinary> {
  const bytes = Buffer.from(buffer)
  let crc = 0
  for (let at = CHECKED_FROM_BYTE; at < bytes.length; at += TURN_BYTES) {
    crc = crc32(bytes.subarray(at, at + TURN_BYTES), crc)
    // One piece after the other makes the checksum.
    // oxlint-disable-next-line eslint/no-await-in-loop
    await nextTurn()
  }
  const header = sealHeader(bytes, crc)
  return {
    byteLength: bytes.length,
    checksum: crc,
    *slice(first, end) {
      if (first < CHECKED_FROM_BYTE) yield header.subarray(first, end)
      for (let at = Math.max(first, CHECKED_FROM_BYTE); at < end; at += WRITE_BYTES) {
        yield bytes.subarray(at, Math.min(end, at + WRITE_BYTES))
      }
    },
  }
}

function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(WRITE_BYTES, bytes.length - done)
    done += writeSync(descriptor, bytes, done, length, position + done)
  }
}

/**
 * Throws `BinaryFileError` when the file is missing, torn, damaged, or of another layout or
 * version.
 */
export async function readBinaryFile(
  layout: BinaryLayout<string>,
  file: string,
): Promise<SharedArrayBuffer> {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch (cause) {
    throw new BinaryFileError(isMissing(cause) ? 'missing' : 'unreadable', file, cause)
  }
  try {
    return await readWhole(layout, handle)
  } catch (cause) {
    const reason = cause instanceof BinaryLayoutError ? cause.reason : 'unreadable'
    throw new BinaryFileError(reason, file, cause)
  } finally {
    await handle.close()
  }
}

async function readWhole(
  layout: BinaryLayout<string>,
  handle: FileHandle,
): Promise<SharedArrayBuffer> {
  const preamble = Buffer.from(new ArrayBuffer(PREAMBLE_BYTES))
  const got = await readAll(handle, preamble)
  const words = new Uint32Array(preamble.buffer, 0, got >>> 2)
  const totalBytes = totalBytesOf(layout, words)
  // Before memory is taken for it: a damaged length must not ask for 16 GB.
  const { size } = await handle.stat()
  if (size !== totalBytes) {
    throw new BinaryLayoutError('torn', `The file has ${size} bytes of ${totalBytes}.`)
  }
  const buffer = new SharedArrayBuffer(totalBytes)
  const bytes = Buffer.from(buffer)
  if ((await readAll(handle, bytes)) !== totalBytes) {
    throw new BinaryLayoutError('torn', 'The file ended while it was read.')
  }
  if (checksum(bytes) !== words[CHECKSUM_WORD]) {
    throw new BinaryLayoutError('corrupt', 'The checksum does not fit the content.')
  }
  return buffer
}

/** Fills `bytes` up to the end of the file, and returns the number of bytes read. */
async function readAll(handle: FileHandle, bytes: Buffer): Promise<number> {
  let done = 0
  while (done < bytes.length) {
    const length = Math.min(STEP_BYTES, bytes.length - done)
    const { bytesRead } = await handle.read(bytes, done, length, done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}
