// What the second wall costs: the same requests to two servers on one database, one that works as
// the role of the program and one as a superuser, which row level security lets pass. Both send the
// scope with each statement; what that costs is measured by itself.

import { join } from 'node:path'
import { Client } from 'pg'
import { createScopedQuery } from '../src/kernel/db/scoped-query.ts'
import { SUPERUSER } from '../src/kernel/postgres/init-cluster.ts'
import { PROGRAM_ROLE } from '../src/kernel/postgres/program-role.ts'
import { comparePaired, get, type RequestKind } from './lib/pairs.ts'
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
    const pair = { ours: held, other: free, token: stage.token, otherIs: 'without', pairs: PAIRS }
    const kinds = listKinds().filter(({ name }) => ONLY.some((part) => name.includes(part)))
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
  const customer = (): number => 1 + random.integer(CUSTOMERS - 1)
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
