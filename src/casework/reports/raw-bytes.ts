// The bytes of a kept report, fetched in slices: 25 MiB at once would delay every other request.

import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'

// PostgreSQL sends bytea as hexadecimal text, and decoding 25 MiB of it takes some 0.2 s of this
// thread; a slice takes 4 ms. They are stored uncompressed (`storage external`), so a slice costs
// the database no more than its own bytes.
const SLICE_BYTES = 524_288

export interface RawBytesLocation {
  readonly tenantId: string
  readonly sha256: Buffer
  readonly byteLength: number
}

/** Null when they are not there, or no longer. */
export async function fetchRawBytes(
  db: Db,
  { tenantId, sha256, byteLength }: RawBytesLocation,
): Promise<Buffer | null> {
  const bytes = Buffer.alloc(byteLength)
  // At least once, to distinguish an empty report from one whose bytes are gone.
  for (let at = 0; at === 0 || at < byteLength; at += SLICE_BYTES) {
    // Each answer is awaited, so that other work gets its turn.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { rows } = await sql<{ slice: Buffer }>`
      select substring(bytes from ${at + 1}::int for ${SLICE_BYTES}::int) as slice
      from report_raw where tenant_id = ${tenantId} and sha256 = ${sha256}`.execute(db)
    const slice = rows[0]?.slice
    if (slice === undefined) return null
    slice.copy(bytes, at)
  }
  return bytes
}
