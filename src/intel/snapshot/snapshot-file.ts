// A snapshot on disk: gives an instant start and is what a new node downloads.

import { BinaryFileError, readBinaryFile, writeBinaryFile } from './binary-file.ts'
import { BinaryLayoutError } from './binary-layout.ts'
import { Snapshot } from './snapshot.ts'
import { SNAPSHOT_LAYOUT } from './snapshot-format.ts'

/** Atomic and durable; blocks the thread until then. Throws the error of the file system. */
export function writeSnapshotFile(snapshot: Snapshot, file: string): void {
  writeBinaryFile(snapshot.buffer, file)
}

/**
 * Throws `BinaryFileError` when the file is missing, torn, damaged or of another version; the
 * caller then builds from the database.
 */
export async function readSnapshotFile(file: string): Promise<Snapshot> {
  const buffer = await readBinaryFile(SNAPSHOT_LAYOUT, file)
  try {
    return Snapshot.fromBuffer(buffer)
  } catch (cause) {
    const reason = cause instanceof BinaryLayoutError ? cause.reason : 'corrupt'
    throw new BinaryFileError(reason, file, cause)
  }
}
