// What the suites of bad input share: their settings, requests over real connections, and a look at
// every table.

import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { outsideScopes } from '../../src/kernel/db/row-scope.ts'
import type { TestApp } from '../harness.ts'

/** How many times the default number of cases; CASEWORK_BAD_INPUT_ROUNDS for a long round. */
export const ROUNDS = Number(process.env['CASEWORK_BAD_INPUT_ROUNDS'] ?? 1)

/**
 * Which of the cases are drawn. The same ones in every run, so that a change fails for what it
 * changed; CASEWORK_BAD_INPUT_SEED draws others.
 */
export const SEED = Number(process.env['CASEWORK_BAD_INPUT_SEED'] ?? 1)

/** For messages: how to see a failure again. */
export const AGAIN = `CASEWORK_BAD_INPUT_SEED=${SEED}`

/** The settings under which many bad requests of one client are answered. */
export const PATIENT = {
  CASEWORK_FAILED_CREDENTIALS_LIMIT: '100000',
}

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface Wire {
  readonly port: number
  readonly send: (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
  ) => Promise<WireAnswer>
  readonly close: () => void
}

/** The program over real connections, as raw routes need them. */
export async function openWire({ app }: Pick<TestApp, 'app'>): Promise<Wire> {
  // A listener that is opened in the scope of a test would see the rows of all tenants.
  const url = new URL(await outsideScopes(() => app.listen({ host: '127.0.0.1', port: 0 })))
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return {
    port: Number(url.port),
    send: (method, path, headers, body) =>
      new Promise((resolve, reject) => {
        const options = { agent, method, path, port: url.port, host: '127.0.0.1' }
        const length = { 'content-length': String(body.length) }
        const sent = request({ ...options, headers: { ...headers, ...length } }, (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('error', reject)
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(parts).toString('utf8'),
            }),
          )
        })
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** Works on all values, four at a time. */
export async function forEachOf<Value>(
  values: Iterable<Value>,
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const source = values[Symbol.iterator]()
  const runner = async (): Promise<void> => {
    for (let next = source.next(); next.done !== true; next = source.next()) await work(next.value)
  }
  await Promise.all([runner(), runner(), runner(), runner()])
}

// A request notes the last use of its token, and its answer by Idempotency-Key.
const CHANGED_BY_READS = new Set(['api_token', 'kept_answer'])

/** A digest of every table of the program, by name. */
export async function digestTables({
  services,
}: Pick<TestApp, 'services'>): Promise<ReadonlyMap<string, string>> {
  const { pool } = services.foundation.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  const names = tables.map(({ name }) => name).filter((name) => !CHANGED_BY_READS.has(name))
  const parts = names.map(
    (name) =>
      `select '${name}' as name, count(*) as rows, coalesce(sum(hashtextextended(one::text, 0)), 0)::text as digest from ${name} one`,
  )
  const { rows } = await pool.query<{ name: string; rows: string; digest: string }>(
    parts.join(' union all '),
  )
  return new Map(rows.map((row) => [row.name, `${row.rows} rows ${row.digest}`]))
}

/** Numbers that look drawn by chance and are the same for one seed. */
export function drawNumbers(seed: string): (below: number) => number {
  let count = 0
  return (below) => {
    count += 1
    return createHash('sha256').update(`${seed}:${count}`).digest().readUInt32LE(0) % below
  }
}
