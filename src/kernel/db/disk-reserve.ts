// The last free space of the disk that the embedded database lies on. PostgreSQL ends when it
// cannot write its log, and look-ups would end with the process; so statements that store are
// refused before, as a database with a full disk refuses them.

import { statfs } from 'node:fs/promises'
import { every } from '../async/every.ts'
import { readStatementText } from './statement-text.ts'

export interface DiskReserve {
  /** True while less than the reserve is free, from `guard` on: a start may use the reserve. */
  readonly isUsedUp: () => boolean
  readonly guard: () => void
  readonly close: () => Promise<void>
}

export interface DiskReserveOptions {
  /** Any folder on the disk. */
  readonly folder: string
  /** In bytes; null to choose by the size of the disk. */
  readonly reserveBytes: number | null
  /** Called with the free bytes at each change. */
  readonly onChange: (isUsedUp: boolean, freeBytes: number) => void
}

const MEGABYTE = 1024 * 1024
const RESERVE_MIN_BYTES = 128 * MEGABYTE
const RESERVE_MAX_BYTES = 1024 * MEGABYTE
const RESERVE_SHARE = 1 / 10
// A disk writes some 100 MB in this time at most, which is less than the least reserve.
const LOOK_MS = 250
// Writes come back when there is room for more than the next second of them.
const ROOM_TO_COME_BACK = 1.25

/** A tenth of the disk, between 128 MB and 1 GB. */
export function chooseReserve(diskBytes: number): number {
  const share = Math.floor(diskBytes * RESERVE_SHARE)
  return Math.min(RESERVE_MAX_BYTES, Math.max(RESERVE_MIN_BYTES, share))
}

/**
 * Looks four times a second. A look that fails changes nothing, and before the first the disk
 * counts as one with room.
 */
export async function openDiskReserve(options: DiskReserveOptions): Promise<DiskReserve> {
  let isUsedUp = false
  let isGuarded = false
  const look = async (): Promise<void> => {
    const { bavail, blocks, bsize } = await statfs(options.folder)
    const freeBytes = bavail * bsize
    const reserveBytes = options.reserveBytes ?? chooseReserve(blocks * bsize)
    const wasUsedUp = isUsedUp
    isUsedUp = freeBytes < reserveBytes * (wasUsedUp ? ROOM_TO_COME_BACK : 1)
    if (isUsedUp !== wasUsedUp) options.onChange(isUsedUp, freeBytes)
  }
  await look().catch(() => undefined)
  const stop = every(LOOK_MS, look, () => undefined)
  return {
    isUsedUp: () => isGuarded && isUsedUp,
    guard() {
      isGuarded = true
    },
    close: stop,
  }
}

const STORES =
  /\b(?:insert\s+into|update\s+(?:only\s+)?\S+\s+(?:(?:as\s+)?\S+\s+)?set|merge\s+into|create\s+temporary\s+table)\b/i

/**
 * Whether a statement takes room. `delete` is not one: what it removes is used again. A COPY is not
 * looked at: it fills a temporary table, or an empty database in a restore.
 */
export function needsRoom(statement: unknown): boolean {
  return STORES.test(readStatementText(statement))
}

/** As PostgreSQL says it, so that it is answered as such (class 53, appendix A of its manual). */
export class DiskReserveUsedUp extends Error {
  readonly code = '53100'

  constructor() {
    super('The disk of the database has nothing left but its reserve')
    this.name = 'DiskReserveUsedUp'
    // Refused requests are many and logged, perhaps on this very disk; the place is known.
    this.stack = `${this.name}: ${this.message}`
  }
}
