// The least that the same work costs on this machine: what figures are compared with.

import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Stage } from './stage.ts'
import { findMedian } from './statistics.ts'

const SYNC_LOOP_MS = 2_000
const ROUND_TRIPS = 2_000
const ROWS_A_CHUNK = 1_000
const UPDATED_ROWS = 100_000
const UPDATE_CONNECTIONS = 4
const UPDATE_LOOP_MS = 3_000

/**
 * Durable writes a second of the disk of the stage: `bytes` bytes and fdatasync, one after the
 * other.
 */
export function measureSyncs({ folder }: Stage, bytes: number): number {
  const file = openSync(join(folder, 'fsync.bin'), 'w')
  try {
    const block = Buffer.alloc(bytes, 1)
    const startedAt = performance.now()
    let count = 0
    while (performance.now() - startedAt < SYNC_LOOP_MS) {
      writeSync(file, block)
      fdatasyncSync(file)
      count += 1
    }
    return (count / (performance.now() - startedAt)) * 1_000
  } finally {
    closeSync(file)
  }
}

/**
 * Median milliseconds that `select 1`, sent `statements` times one after the other, takes on one
 * connection.
 */
export async function measureRoundTrips(pool: Pool, statements = 1): Promise<number> {
  const client = await pool.connect()
  try {
    const samples: number[] = []
    for (let round = 0; round < ROUND_TRIPS; round += 1) {
      const startedAt = performance.now()
      for (let sent = 0; sent < statements; sent += 1) await client.query('select 1')
      samples.push(performance.now() - startedAt)
    }
    return findMedian(samples)
  } finally {
    client.release()
  }
}

/** Seconds that COPY takes for `rows` into a table of one text column without an index. */
export async function copyIntoBareTable(pool: Pool, rows: readonly string[]): Promise<number> {
  await pool.query('create table bench_bare (line text)')
  const client = await pool.connect()
  try {
    const startedAt = performance.now()
    await pipeline(
      Readable.from(chunkRows(rows)),
      client.query(copyFrom('copy bench_bare from stdin')),
    )
    return (performance.now() - startedAt) / 1_000
  } finally {
    client.release()
    await pool.query('drop table bench_bare')
  }
}

function* chunkRows(rows: readonly string[]): Generator<string> {
  for (let start = 0; start < rows.length; start += ROWS_A_CHUNK) {
    const lines = rows.slice(start, start + ROWS_A_CHUNK).join('\n')
    yield `${lines.replaceAll('\\', '\\\\')}\n`
  }
}

/**
 * Rows a second that statements of `batch` rows each update by their key in a bare table, over four
 * connections: the least that a step of many runs could cost.
 */
export async function measureUpdates(pool: Pool, batch: number): Promise<number> {
  await pool.query(
    `create table bare_token (id integer primary key, node text not null, visit integer not null)`,
  )
  await pool.query(
    `insert into bare_token select at, 'begin', 1 from generate_series(1, $1::integer) as at`,
    [UPDATED_ROWS],
  )
  const share = UPDATED_ROWS / UPDATE_CONNECTIONS
  const startedAt = performance.now()
  let updated = 0
  const update = async (connection: number): Promise<void> => {
    while (performance.now() - startedAt < UPDATE_LOOP_MS) {
      const from = Math.floor(Math.random() * (share - batch)) + connection * share
      const ids = Array.from({ length: batch }, (_, at) => from + at + 1)
      await pool.query(
        `update bare_token set node = 'next', visit = visit + 1 where id = any($1::integer[])`,
        [ids],
      )
      updated += batch
    }
  }
  await Promise.all(
    Array.from({ length: UPDATE_CONNECTIONS }, (_, connection) => update(connection)),
  )
  const rate = (updated / (performance.now() - startedAt)) * 1_000
  await pool.query('drop table bare_token')
  return rate
}
