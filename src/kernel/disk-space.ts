// The free space of the disk that a folder lies on.

import { statfs } from 'node:fs/promises'

/** A database that cannot write stops. Below this the operator must act. */
export const FREE_BYTES_MIN = 1_000_000_000

/** For accounts that are not root. Rejects when the folder is not there or not reachable. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
