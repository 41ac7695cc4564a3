// What row level security costs: the same requests to two servers on one database, one that works
// as the role of the program and one as a superuser, which row level security lets pass. Both send
// the scope with each statement; what that costs is measured by itself.

import { join } from 'node:path'
import { Client } from 'pg'
import { createScopedQuery } from '../src/kernel/db/scoped-query.ts'
import { SUPERUSER } from '../src/kernel/postgres/init-cluster.ts'
import { PROGRAM_ROLE } from '../src/kernel/postgres/program-role.ts'
import { DEFAULT_TENANT_ID } from '../src/vocabulary/caller.ts'
import { pushEvents } from './lib/event-pushes.ts'
import { comparePaired, get, type RequestKind } from './lib/pairs.ts'
import { createRandom } from './lib/random.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount, readFilter } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { findMedian } from './lib/statistics.ts'
import {
  addressOf,
  caseOf,
  LARGE_CUSTOMER,
  pickCustomer,
  WORDS,
  writeCustomers,
  writeEvents,
} from './lib/write-events.ts'

const EVENTS = readCount('BENCH_LIST_EVENTS', 500_000)
const PAIRS = readCount('BENCH_PAIRS', 600)
const isWanted = readFilter('BENCH_ROWS_ONLY')
// The first round of the scope warms up.
const SCOPE_ROUNDS = 4
const STATEMENTS = 10_000
const ONE_ROW = { name: 'one row', text: 'select name from tenant where id = $1' }
const EVENTS_PER_PUSH = 500
const SEED = 19
const MICROSECONDS = 1e6

export async function benchRowSecurity(stage: Stage): Promise<void> {
  await stage.makeTables()
  await writeEvents(stage, EVENTS, { hasTexts: true })
  await writeCustomers(stage)
  const held = await stage.startServer()
  const free = await stage.startServer({
    DATABASE_URL: stage.databaseUrl.replace(`${PROGRAM_ROLE}@`, `${SUPERUSER}@`),
    CASEWORK_DATA_DIR: join(stage.folder, 'free'),
  })
  try {
    const title = `Row level security, ${EVENTS.toLocaleString('en')} events, by a role that it holds and one that passes it`
    const figures: Figure[] = []
    const pair = { ours: held, other: free, token: stage.token, otherIs: 'without', pairs: PAIRS }
    const kinds = listKinds().filter(({ name }) => isWanted(name))
    // The first kind would also pay for what a server compiles once.
    for (const kind of kinds.slice(0, 1)) await comparePaired(pair, kind)
    for (const kind of kinds) {
      figures.push(await comparePaired(pair, kind))
    }
    figures.push(await measureScope(stage))
    printFigures(title, figures)
  } finally {
    await Promise.all([held.stop(), free.stop()])
  }
}

function search(name: string, build: () => string): RequestKind {
  return get(`search: ${name}`, () => `/beta/casework/search?q=${encodeURIComponent(build())}`)
}

function listKinds(): readonly RequestKind[] {
  const random = createRandom(SEED)
  const customer = (): number => pickCustomer(random)
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
    search('word of one event in 10', () => WORDS[1].word),
    search('word of one event in 1000', () => WORDS[3].word),
    pushEvents(`intake: ${EVENTS_PER_PUSH} events in a push`, EVENTS_PER_PUSH, random),
  ]
}

/** A statement that reads one row by its key, with the scope in front and without, in turns. */
async function measureScope(stage: Stage): Promise<Figure> {
  const client = new Client({ connectionString: stage.databaseUrl })
  await client.connect()
  const costs = { scoped: [] as number[], plain: [] as number[] }
  try {
    for (let round = 0; round < SCOPE_ROUNDS; round += 1) {
      const scoped = await measureMicros(stage, () => sendScoped(client))
      const plain = await measureMicros(stage, () => client.query(ONE_ROW, [DEFAULT_TENANT_ID]))
      // The first round warms both up.
      if (round === 0) continue
      costs.scoped.push(scoped)
      costs.plain.push(plain)
    }
  } finally {
    await client.end()
  }
  const [scoped, plain] = [findMedian(costs.scoped), findMedian(costs.plain)]
  return {
    name: 'a statement that reads one row, with its scope in front',
    ours: `${scoped.toFixed(1)} µs`,
    calibration: `${plain.toFixed(1)} µs without`,
    ratio: scoped / plain,
  }
}

function sendScoped(client: Client): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error: unknown, result: unknown): void =>
      error === null || error === undefined ? resolve(result) : reject(error)
    const own = { way: 'config', config: ONE_ROW, values: [DEFAULT_TENANT_ID] } as const
    client.query(createScopedQuery({ scope: DEFAULT_TENANT_ID, ...own }, done))
  })
}

/** Microseconds of processor time of a statement. */
async function measureMicros(stage: Stage, send: () => Promise<unknown>): Promise<number> {
  const before = readBothCpuSeconds(stage)
  for (let count = 0; count < STATEMENTS; count += 1) await send()
  return ((readBothCpuSeconds(stage) - before) / STATEMENTS) * MICROSECONDS
}

/** CPU seconds of the database and of this process, which sends. */
function readBothCpuSeconds(stage: Stage): number {
  const { user, system } = process.cpuUsage()
  return stage.readDatabaseCpuSeconds() + (user + system) / MICROSECONDS
}
