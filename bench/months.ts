// What months cost: the same requests to two servers, one whose events of three years lie in 36
// partitions, and one with all of them in a single partition.

import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { listReportedEvents } from '../src/casework/sightings/reported-event-store.ts'
import { startOfMonth, writeMonth } from '../src/kernel/db/months/months.ts'
import { PROGRAM_ROLE } from '../src/kernel/postgres/program-role.ts'
import { pushEvents } from './lib/event-pushes.ts'
import { comparePaired, compareTurns, get, type RequestKind } from './lib/pairs.ts'
import { createRandom } from './lib/random.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount, readFilter } from './lib/settings.ts'
import { openStage, type Stage } from './lib/stage.ts'
import {
  addressOf,
  caseOf,
  FIRST_MS,
  LARGE_CUSTOMER,
  pickCustomer,
  SMALL_CUSTOMER,
  writeEvents,
} from './lib/write-events.ts'

const EVENTS = readCount('BENCH_LIST_EVENTS', 200_000)
const PAIRS = readCount('BENCH_PAIRS', 100)
// All kinds together end within four minutes.
const KIND_MS = 10_000
const SEED = 23
const isWanted = readFilter('BENCH_MONTHS_ONLY')

export async function benchMonths(stage: Stage): Promise<void> {
  const single = await openStage()
  try {
    for (const one of [stage, single]) {
      await one.makeTables()
      if (one === stage) await makeMonths(one)
      await writeEvents(one, EVENTS, { hasTexts: true })
    }
    const ours = await stage.startServer()
    const other = await single.startServer()
    try {
      const pair = {
        ours,
        other,
        token: stage.token,
        otherIs: 'of one partition',
        pairs: PAIRS,
        kindMs: KIND_MS,
      }
      const kinds = listKinds(await listCases(stage)).filter(({ name }) => isWanted(name))
      const figures: Figure[] = []
      // The first kind would also pay for what a server compiles once.
      for (const kind of kinds.slice(0, 1)) await comparePaired(pair, kind)
      for (const kind of kinds) {
        const figure = await comparePaired(pair, kind)
        console.log(`${figure.name}: ${figure.ours}; ${figure.calibration}`)
        figures.push(figure)
      }
      figures.push(...(await compareCollectors(stage, single)))
      printFigures(`36 months, ${EVENTS.toLocaleString('en')} events`, figures)
    } finally {
      await Promise.all([ours.stop(), other.stop()])
    }
  } finally {
    await single.close()
  }
}

/** What the worker reads for the sightings of so many addresses, as one statement names them. */
async function compareCollectors(stage: Stage, single: Stage): Promise<readonly Figure[]> {
  const databases = { ours: openDatabase(stage), other: openDatabase(single) }
  try {
    return await compareReads(databases)
  } finally {
    await Promise.all([databases.ours.destroy(), databases.other.destroy()])
  }
}

interface Databases {
  readonly ours: Kysely<object>
  readonly other: Kysely<object>
}

async function compareReads(databases: Databases): Promise<readonly Figure[]> {
  const random = createRandom(SEED)
  const chooseAddresses = () => Array.from({ length: 100 }, () => addressOf(pickCustomer(random)))
  const kinds = {
    'collector: 100 addresses': chooseAddresses,
    'collector: 100 addresses, one of a fifth of all events': () => [
      addressOf(0),
      ...chooseAddresses().slice(1),
    ],
  }
  const figures: Figure[] = []
  for (const [name, choose] of Object.entries(kinds)) {
    if (!isWanted(name)) continue
    const pair = { otherIs: 'of one partition', pairs: PAIRS, kindMs: KIND_MS }
    const figure = await compareTurns(pair, name, () => {
      const items = choose()
      return (which) =>
        listReportedEvents(databases[which], { tenantId: 'default' }, 'ip', items, new Set())
    })
    console.log(`${figure.name}: ${figure.ours}; ${figure.calibration}`)
    figures.push(figure)
  }
  return figures
}

function openDatabase({ databaseUrl }: Stage): Kysely<object> {
  const options = '-c casework.tenant_id=default'
  const pool = new Pool({ connectionString: databaseUrl, options, max: 1 })
  return new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
}

/** Makes the partitions that a worker would have made from the first event on. */
async function makeMonths({ pool }: Stage): Promise<void> {
  const { rows } = await pool.query<{ name: string; bound: string }>(
    `select c.oid::regclass::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'event'::regclass`,
  )
  for (const { name, bound } of rows) {
    if (bound !== 'DEFAULT') await pool.query(`drop table ${name}`)
  }
  for (let month = FIRST_MS; month <= Date.now(); month = startOfMonth(month, 1)) {
    // As the role of the program, which is the owner of its tables.
    await pool.query(
      `set role ${PROGRAM_ROLE}; set casework.tenant_id = '*'; select add_month('event', 'event_id', '${writeMonth(month)}'); reset role`,
    )
  }
}

/** The customer of a case of write-events.ts: not every customer has an event. */
function customerOf(caseId: string): string {
  return `customer-${Number.parseInt(caseId.slice(-12), 16)}`
}

function list(name: string, query: string): RequestKind {
  return get(`list: ${name}`, () => `/beta/casework/events?${query}`)
}

function day(ago: number): string {
  return new Date(Date.now() - ago * 24 * 60 * 60 * 1_000).toISOString()
}

/** Some cases, which both have: the events are made from the same seed. */
async function listCases({ pool }: Stage): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from abuse_case where id <> $1 order by id limit 200`,
    [caseOf(0)],
  )
  return rows.map(({ id }) => id)
}

function listKinds(cases: readonly string[]): readonly RequestKind[] {
  const random = createRandom(SEED)
  const oneCase = (): string => cases[random.integer(cases.length)] ?? caseOf(0)
  return [
    list('newest', ''),
    list('newest by arrival', 'sort=create_date'),
    list('a type', 'event_type=Phishing'),
    list('a large customer', `customer_id=${LARGE_CUSTOMER}`),
    list('a customer with few events', `customer_id=${SMALL_CUSTOMER}`),
    list('an address', `ip=${addressOf(77)}`),
    list('the last week', `event_after=${day(7)}`),
    list('a week two years ago', `event_after=${day(730)}&event_before=${day(723)}`),
    list('oldest', 'order=asc'),
    list('oldest by arrival', 'order=asc&sort=create_date'),
    list('oldest of a type', 'order=asc&event_type=Phishing'),
    list('oldest since two years ago', `order=asc&event_after=${day(730)}`),
    list('newest since two years ago', `event_after=${day(730)}`),
    list('a rare word', 'text=gopher'),
    list('the largest case', `case_id=${caseOf(0)}`),
    list('an old case', `case_id=${caseOf(77)}`),
    get('cases: an address', () => `/beta/casework/cases?ip=${addressOf(pickCustomer(random))}`),
    get(
      'counters of a customer',
      () => `/beta/casework/customers/${customerOf(oneCase())}/counters`,
    ),
    get('one case', () => `/beta/casework/cases/${oneCase()}`),
    get('timeline of a case', () => `/beta/casework/cases/${oneCase()}/timeline`),
    get('search: address', () => `/beta/casework/search?q=${addressOf(pickCustomer(random))}`),
    get('search: a word of one event in 1000', () => '/beta/casework/search?q=gopher'),
    get('search: a word that is nowhere', () => '/beta/casework/search?q=zebra'),
    get('cases: a rare word', () => '/beta/casework/cases?text=gopher'),
    get('reports: a word', () => '/beta/casework/reports?text=gopher'),
    get('reports: the beginning of a reporter', () => '/beta/casework/reports?text=reporter-7'),
    pushEvents('intake: 1 event in a push, new and known keys', 1, random),
    pushEvents('intake: 500 events in a push', 500, random),
  ]
}
