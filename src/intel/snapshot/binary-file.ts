// A shared buffer as a file: written beside its place and renamed, so that a reader finds the old or the new one and never a part; read in
// one pass and held against its checksum.

import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import {
  type BinaryLayout,
  BinaryLayoutError,
  CHECKED_FROM_BYTE,
  CHECKSUM_WORD,
  PREAMBLE_BYTES,
  totalBytesOf,
} from './binary-layout.ts'

// Reads of 8 MiB reach the speed of the page cache (measured), larger ones gain nothing.
const STEP_BYTES = 8 * 1024 * 1024

/** The file cannot be used; the caller builds it anew from its source. */
export class BinaryFileError extends Error {
  readonly reason: 'missing' | 'unreadable' | BinaryLayoutError['reason']

  constructor(reason: BinaryFileError['reason'], file: string, cause: unknown) {
    super(`The file ${file} cannot be used: ${reason}.`, { cause })
    this.name = 'BinaryFileError'
    this.reason = reason
  }
}

/** Atomic and durable: file and folder are synced before this returns. Fails with the error of the file system. */
export async function writeBinaryFile(buffer: SharedArrayBuffer, file: string): Promise<void> {
  const bytes = Buffer.from(buffer)
  const header = Buffer.from(bytes.subarray(0, CHECKED_FROM_BYTE))
  header.writeUInt32LE(checksum(bytes), CHECKSUM_WORD * 4)
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx')
    try {
      // The buffer itself stays untouched, since other threads read it.
      await writeAll(handle, header, 0)
      await writeAll(handle, bytes.subarray(CHECKED_FROM_BYTE), CHECKED_FROM_BYTE)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
  await syncFolder(path.dirname(file))
}

function checksum(bytes: Buffer): number {
  let crc = 0
  for (let at = CHECKED_FROM_BYTE; at < bytes.length; at += STEP_BYTES) {
    crc = crc32(bytes.subarray(at, at + STEP_BYTES), crc)
  }
  return crc
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(STEP_BYTES, bytes.length - done)
    const { bytesWritten } = await handle.write(bytes, done, length, position + done)
    done += bytesWritten
  }
}

// A rename is on the disk only when its folder is. Windows does not let a folder be opened; there the rename alone has to do.
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Throws `BinaryFileError` when the file is missing, torn, damaged, or of another layout or version. */
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

/** Fills `bytes` as far as the file goes and returns how many were read. */
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
