// PostgreSQL with an index over networks as a peer.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { generateQuestions } from './intel-set.ts'
import { describePeer } from './peer.ts'
import { type Figure, formatRate } from './report.ts'
import type { Stage } from './stage.ts'

const SEED = 20_261_122
const QUESTIONS = 5_000
const ROUND_MS = 3_000

/** Look-ups of `items`, which are IPv4 addresses. */
export async function benchGist(
  { pool }: Stage,
  items: readonly string[],
  name: string,
): Promise<Figure> {
  const client = await pool.connect()
  try {
    await client.query('create table bench_gist (range inet not null)')
    await pipeline(
      Readable.from([`${items.join('\n')}\n`]),
      client.query(copyFrom('copy bench_gist from stdin')),
    )
    await client.query('create index on bench_gist using gist (range inet_ops)')
    await client.query('analyze bench_gist')
    const questions = generateQuestions(items, QUESTIONS, SEED)
    const startedAt = performance.now()
    let count = 0
    while (performance.now() - startedAt < ROUND_MS) {
      await client.query({
        name: 'gist',
        text: 'select 1 from bench_gist where range >>= $1::inet limit 1',
        values: [questions[count % questions.length]],
      })
      count += 1
    }
    return describePeer(
      `${name}, one look-up a statement, one connection: listed or not, no context`,
      formatRate((count / (performance.now() - startedAt)) * 1_000, 'look-ups/s'),
    )
  } finally {
    client.release()
  }
}
