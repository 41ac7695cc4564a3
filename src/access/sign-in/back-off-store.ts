// SQL of wrong passwords: how often a key failed, and until when it waits.

import { sql } from 'kysely'
import type { Tx } from '../../kernel/db/database.ts'

/** What is counted, and how many failures of it cost no wait. */
export interface BackOffKey {
  readonly hash: Buffer
  readonly freeFailures: number
}

// A day after its last failure a key starts anew.
const MEMORY = '1 day'
// 1 s after the first failure that is not free, twice as long after each further one.
const WAIT_SECONDS_MAX = 900
// 2^20 s are far above the greatest wait, and no overflow.
const DOUBLINGS_MAX = 20
const FORGOTTEN_AT_ONCE = 100

/**
 * Counts a failure of every key in advance, and gives 0; or, when one of them still waits, the
 * seconds until it may be tried. The caller then rolls back, so that a refused try counts nowhere.
 */
export async function takeAttempt(tx: Tx, keys: readonly BackOffKey[], now: Date): Promise<number> {
  const hashes = keys.map(({ hash }) => hash)
  const free = keys.map(({ freeFailures }) => freeFailures)
  const { rows } = await sql<{ hash: Buffer }>`
    insert into sign_in_back_off as b (key_hash, failures, last_failed_at, blocked_until)
    select key, 1, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${hashes}::bytea[]) as one (key) order by key
    on conflict (key_hash) do update set
      failures = case when b.last_failed_at < ${now}::timestamptz - ${MEMORY}::interval then 1
        else b.failures + 1 end,
      last_failed_at = ${now}::timestamptz,
      blocked_until = ${now}::timestamptz + case
        when b.last_failed_at < ${now}::timestamptz - ${MEMORY}::interval then interval '0'
        else interval '1 s' * coalesce((
          select case when b.failures + 1 <= free then 0
            else least(${WAIT_SECONDS_MAX}, 2 ^ least(b.failures - free, ${DOUBLINGS_MAX})) end
          from unnest(${hashes}::bytea[], ${free}::integer[]) as one (key, free)
          where one.key = b.key_hash), 0) end
    where b.blocked_until <= ${now}::timestamptz
    returning key_hash as hash`.execute(tx)
  if (rows.length === keys.length) return 0
  const waiting = await sql<{ seconds: number }>`
    select ceil(extract(epoch from max(blocked_until) - ${now}::timestamptz))::integer as seconds
    from sign_in_back_off where key_hash = any (${hashes}::bytea[])`.execute(tx)
  return Math.max(1, waiting.rows[0]?.seconds ?? 1)
}

/**
 * The right password was given: nobody waits for the failures before it. Some keys that are past
 * their memory go too.
 */
export async function forgetAttempts(tx: Tx, hashes: readonly Buffer[], now: Date): Promise<void> {
  await sql`delete from sign_in_back_off where key_hash = any (${[...hashes]}::bytea[])`.execute(tx)
  await sql`delete from sign_in_back_off where key_hash in (
    select key_hash from sign_in_back_off where last_failed_at < ${now}::timestamptz - ${MEMORY}::interval
    limit ${FORGOTTEN_AT_ONCE})`.execute(tx)
}
