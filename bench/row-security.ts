// What the second wall costs: the same requests to two servers on one database, one that works as
// the role of the program and one as a superuser, which row level security lets pass. Both send the
// scope with each statement; what that costs is measured by itself.

import { join } from 'node:path'
import { Client } from 'pg'
import { createScopedQuery } from '../src/kernel/db/scoped-query.ts'
import { SUPERUSER } from '../src/kernel/postgres/init-cluster.ts'
import { PROGRAM_ROLE } from '../src/kernel/postgres/program-role.ts'
import { readPercentile } from './lib/load.ts'
import type { ServerProcess } from './lib/process.ts'
import { createRandom } from './lib/random.ts'
import { type Figure, printFigures } from './lib/report.ts'
import type { Stage } from './lib/stage.ts'
import {
  addressOf,
  CUSTOMERS,
  caseOf,
  LARGE_CUSTOMER,
  WORDS,
  writeCustomers,
  writeEvents,
} from './lib/write-events.ts'

const EVENTS = Number(process.env['BENCH_LIST_EVENTS'] ?? 500_000)
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 600)
// Only the kinds whose name has one of these parts, separated by commas.
const ONLY = (process.env['BENCH_ROWS_ONLY'] ?? '').split(',')
const WARM_UP_PAIRS = 10
// A slow kind of request ends by time, with fewer pairs.
const KIND_MS = 30_000
const STATEMENTS = 20_000
const EVENTS_PER_PUSH = 500
const SEED = 19
const MICROSECONDS = 1e6

export async function benchRowSecurity(stage: Stage): Promise<void> {
  // The first start makes the tables.
  await (await stage.startServer(0)).stop()
  await writeEvents(stage, EVENTS, { hasTexts: true })
  await writeCustomers(stage)
  const held = await stage.startServer(0)
  const free = await stage.startServer(0, {
    DATABASE_URL: stage.databaseUrl.replace(`${PROGRAM_ROLE}@`, `${SUPERUSER}@`),
    CASEWORK_DATA_DIR: join(stage.folder, 'free'),
  })
  try {
    const title = `Row level security, ${EVENTS.toLocaleString('en')} events, by a role that it holds and one that passes it`
    const figures: Figure[] = []
    const kinds = listKinds().filter(({ name }) => ONLY.some((part) => name.includes(part)))
    // The first kind would also pay for what a server compiles once.
    for (const kind of kinds.slice(0, 1)) await comparePaired(stage, { held, free }, kind)
    for (const kind of kinds) {
      figures.push(await comparePaired(stage, { held, free }, kind))
    }
    figures.push(await measureScope(stage))
    printFigures(title, figures)
  } finally {
    await Promise.all([held.stop(), free.stop()])
  }
}

interface Kind {
  readonly name: string
  readonly mediaType: string
  /** The next request of this kind. */
  readonly next: () => { readonly path: string; readonly body?: string }
}

function listKinds(): readonly Kind[] {
  const random = createRandom(SEED)
  const customer = (): number => 1 + random.integer(CUSTOMERS - 1)
  const search = (name: string, build: () => string): Kind =>
    get(`search: ${name}`, () => `/beta/casework/search?q=${encodeURIComponent(build())}`)
  return [
    get('lists: cases', () => '/beta/casework/cases?expand=summary'),
    get(
      'lists: open cases by due',
      () => '/beta/casework/cases?state=NEW,IN_PROGRESS&sort=due_at&order=asc',
    ),
    get('lists: events of a customer', () => `/beta/casework/events?customer_id=${LARGE_CUSTOMER}`),
    get(
      'lists: events of a type',
      () => '/beta/casework/events?event_type=Phishing&sort=create_date',
    ),
    get('lists: the largest case', () => `/beta/casework/cases/${caseOf(0)}`),
    search('address', () => addressOf(customer())),
    search('range /28', () => `198.18.${random.integer(256)}.16/28`),
    search('domain', () => `site-${customer()}.example.net`),
    search('reporter', () => `reporter-${random.integer(500)}@example.org`),
    search('customer by part of a name', () => `hosting ${10_000 + random.integer(80_000)}`),
    search('word of every 10. event', () => WORDS[1].word),
    search('word of every 1000. event', () => WORDS[3].word),
    {
      name: `intake: ${EVENTS_PER_PUSH} events in a push`,
      mediaType: 'application/x-ndjson',
      next: () => ({
        path: '/beta/casework/events',
        body: Array.from({ length: EVENTS_PER_PUSH }, () =>
          JSON.stringify({
            event_date: new Date().toISOString(),
            event_type: 'LoginAttack',
            sender_email: `reporter-${random.integer(500)}@example.org`,
            ip: addressOf(customer()),
            event_details: { port: 1 + random.integer(65_000), protocol: 'tcp' },
          }),
        ).join('\n'),
      }),
    },
  ]
}

function get(name: string, path: () => string): Kind {
  return { name, mediaType: 'application/json', next: () => ({ path: path() }) }
}

interface Servers {
  readonly held: ServerProcess
  readonly free: ServerProcess
}

/**
 * The same kind of request goes to one server and then to the other, so that what the neighbours do
 * meanwhile meets both. Medians of the two are compared, and the fastest tenth.
 */
async function comparePaired(stage: Stage, servers: Servers, kind: Kind): Promise<Figure> {
  const headers = { authorization: `Bearer ${stage.token}`, 'content-type': kind.mediaType }
  const times = { held: [] as number[], free: [] as number[] }
  const startedAt = performance.now()
  for (let pair = 0; pair < PAIRS && performance.now() < startedAt + KIND_MS; pair += 1) {
    // Which one comes first changes, since the second may find pages that the first has read.
    const order = pair % 2 === 0 ? (['held', 'free'] as const) : (['free', 'held'] as const)
    let request = kind.next()
    for (const which of order) {
      // A push that was there already costs less.
      if (request.body !== undefined) request = kind.next()
      const { path, body } = request
      const sentAt = performance.now()
      const answer = await fetch(`http://127.0.0.1:${servers[which].port}${path}`, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body }),
      })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      if (pair >= WARM_UP_PAIRS) times[which].push(performance.now() - sentAt)
    }
  }
  const [held, free] = [times.held.toSorted(byNumber), times.free.toSorted(byNumber)]
  const tenth = readPercentile(held, 0.1) / readPercentile(free, 0.1)
  const [median, freeMedian] = [readPercentile(held, 0.5), readPercentile(free, 0.5)]
  return {
    name: kind.name,
    ours: `p50 ${median.toFixed(2)} ms, fastest tenth ${tenth.toFixed(2)} of that without, ${held.length} pairs`,
    calibration: `p50 ${freeMedian.toFixed(2)} ms without`,
    ratio: median / freeMedian,
  }
}

const byNumber = (a: number, b: number): number => a - b

/** A statement that reads one row by its key, with the scope in front and without. */
async function measureScope(stage: Stage): Promise<Figure> {
  const client = new Client({ connectionString: stage.databaseUrl })
  await client.connect()
  const read = (): number => stage.readDatabaseCpuSeconds() + process.cpuUsage().user / MICROSECONDS
  const statement = { name: 'one row', text: 'select name from tenant where id = $1' }
  const send = (hasScope: boolean): Promise<unknown> =>
    hasScope
      ? new Promise((resolve, reject) => {
          const done = (error: unknown, result: unknown): void =>
            error === null || error === undefined ? resolve(result) : reject(error)
          const way = 'config'
          const scoped = { scope: 'default', way, config: statement, values: ['default'] } as const
          client.query(createScopedQuery(scoped, done))
        })
      : client.query(statement, ['default'])
  try {
    const costs = new Map<boolean, number>()
    for (const hasScope of [false, true, false, true]) {
      const before = read()
      for (let count = 0; count < STATEMENTS; count += 1) await send(hasScope)
      costs.set(hasScope, ((read() - before) / STATEMENTS) * MICROSECONDS)
    }
    const [without, withScope] = [costs.get(false) ?? Number.NaN, costs.get(true) ?? Number.NaN]
    return {
      name: 'a statement that reads one row, with its scope in front',
      ours: `${withScope.toFixed(1)} µs`,
      calibration: `${without.toFixed(1)} µs without`,
      ratio: withScope / without,
    }
  } finally {
    await client.end()
  }
}
