// Events into cases, in bulk and singly, durable before the answer, and list pages over what was
// stored.

import { copyIntoBareTable, measureRoundTrips, measureSyncs } from './lib/calibrations.ts'
import { buildRequest, runLoad } from './lib/load.ts'
import { findNextPath, measurePage } from './lib/pages.ts'
import type { ServerProcess } from './lib/process.ts'
import { createRandom } from './lib/random.ts'
import { type Figure, formatRate, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { readPercentile } from './lib/statistics.ts'

// The lists are measured over this many events; those that were not pushed are copies of the pushed
// ones at other times.
const EVENTS = readCount('BENCH_EVENTS', 1_000_000)
const PUSHED = Math.min(EVENTS, readCount('BENCH_PUSHED', EVENTS))
// At first nearly every event opens a case, the program is compiled, and the database makes its log
// files.
const FIRST = Math.min(PUSHED, 100_000)
const EVENTS_A_CALL = 1_000
const CONNECTIONS = 4
const COPIED_MAX = 200_000
const SINGLE_MS = 5_000
const SINGLE_BYTES = 2_048
const PAGES = 2_000
const SEED = 7
// 1 M events over 100,000 addresses: ten a case, as a busy desk has it. The first 100,000 open
// 63,000 of them.
const CUSTOMERS = 100_000
const TYPES = ['LoginAttack', 'PortScan', 'Spam', 'Phishing', 'Malware', 'Bot', 'DDos', 'WebHack']

export async function benchEvents(stage: Stage): Promise<void> {
  const server = await stage.startServer()
  const figures: Figure[] = []
  try {
    figures.push(...(await benchBulk(stage, server)), await benchSingle(stage, server))
    printFigures(`Events, ${PUSHED.toLocaleString('en')} of them`, figures)
    await fillUp(stage)
    await stage.pool.query('vacuum analyze')
    const title = `List pages over HTTP, ${EVENTS.toLocaleString('en')} events, one connection`
    printFigures(title, await benchPages(stage, server))
  } finally {
    await server.stop()
  }
}

/** Copies what was pushed, an hour later each time, until there are as many events as asked for. */
async function fillUp({ pool }: Stage): Promise<void> {
  const columns = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = 'event' order by ordinal_position`,
  )
  const names = columns.rows.map((row) => row.name)
  const values = names.map((name) => {
    if (name === 'event_id') return 'uuidv7()'
    return name === 'event_date' ? `event_date + $1 * interval '1 hour'` : name
  })
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(`create temp table pushed as select * from event limit ${PUSHED}`)
    for (let copy = 1; copy * PUSHED < EVENTS; copy += 1) {
      await client.query(
        `insert into event (${names.join(', ')}) select ${values.join(', ')} from pushed limit $2`,
        [copy, EVENTS - copy * PUSHED],
      )
    }
    await client.query('drop table pushed')
  } finally {
    client.release()
  }
}

function createEventMaker(): (index: number) => string {
  const random = createRandom(SEED)
  const startMs = Date.UTC(2026, 0, 1)
  return (index) => {
    const customer = random.integer(CUSTOMERS)
    return JSON.stringify({
      event_date: new Date(startMs + index * 20).toISOString(),
      event_type: random.pick(TYPES),
      sender_email: `reporter-${random.integer(500)}@example.org`,
      ip: `198.${18 + (customer >> 16)}.${(customer >> 8) & 255}.${customer & 255}`,
      event_details: {
        port: 1 + random.integer(65_000),
        protocol: 'tcp',
        attempts: random.integer(500),
      },
    })
  }
}

/**
 * Processor time of the program and of the database for 10,000 events, which depends on the
 * neighbours far less than a rate.
 */
function startCount(stage: Stage, server: ServerProcess): (events: number) => string {
  const [program, database] = [server.readCpuSeconds(), stage.readDatabaseCpuSeconds()]
  return (events) => {
    const spent = [server.readCpuSeconds() - program, stage.readDatabaseCpuSeconds() - database]
    const [ours, theirs] = spent.map((seconds) => ((seconds / events) * 10_000).toFixed(2))
    return `10,000 take ${ours} s of the program and ${theirs} s of PostgreSQL`
  }
}

/** The first events, those behind them, and all together. */
async function benchBulk(stage: Stage, server: ServerProcess): Promise<Figure[]> {
  const make = createEventMaker()
  const rows = Array.from({ length: PUSHED }, (_, index) => make(index))
  const countAll = startCount(stage, server)
  const first = await pushAll(stage, server, rows.slice(0, FIRST))
  const others = await pushAll(stage, server, rows.slice(FIRST))
  const all = { seconds: first.seconds + others.seconds, spent: countAll(PUSHED) }
  const sample = rows.slice(0, COPIED_MAX)
  const bareRate = sample.length / (await copyIntoBareTable(stage.pool, sample))
  const describe = (from: number, until: number, { seconds, spent }: Push): Figure => {
    const rate = (until - from) / seconds
    const which = `events ${(from + 1).toLocaleString('en')} to ${until.toLocaleString('en')}`
    return {
      name: `POST /beta/casework/events, 1,000 a call, into cases, ${CONNECTIONS} connections: ${which} (${spent})`,
      ours: formatRate(rate, 'events/s'),
      calibration: `COPY of the same bytes into a bare table ${formatRate(bareRate, 'rows/s')}`,
      ratio: rate / bareRate,
    }
  }
  if (FIRST === PUSHED) return [describe(0, PUSHED, all)]
  return [describe(0, FIRST, first), describe(FIRST, PUSHED, others), describe(0, PUSHED, all)]
}

interface Push {
  readonly seconds: number
  /** Processor time, in words. */
  readonly spent: string
}

async function pushAll(
  stage: Stage,
  server: ServerProcess,
  rows: readonly string[],
): Promise<Push> {
  const count = startCount(stage, server)
  let next = 0
  const startedAt = performance.now()
  const push = async (): Promise<void> => {
    while (next < rows.length) {
      const batch = rows.slice(next, next + EVENTS_A_CALL)
      next += EVENTS_A_CALL
      const answer = await fetch(`http://127.0.0.1:${server.port}/beta/casework/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/x-ndjson' },
        body: batch.join('\n'),
      })
      const text = await answer.text()
      if (answer.status !== 200 || text.includes('"invalid"')) {
        throw new Error(`${answer.status} ${text.slice(0, 300)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, push))
  return { seconds: (performance.now() - startedAt) / 1_000, spent: count(rows.length) }
}

async function benchSingle(stage: Stage, server: ServerProcess): Promise<Figure> {
  const make = createEventMaker()
  const headers = {
    authorization: `Bearer ${stage.token}`,
    'content-type': 'application/json',
  }
  let index = PUSHED
  const count = startCount(stage, server)
  const load = await runLoad({
    port: server.port,
    connections: 32,
    durationMs: SINGLE_MS,
    status: 201,
    next: () => {
      index += 1
      return buildRequest('POST', '/beta/casework/events', headers, make(index))
    },
  })
  const spent = count(load.requests)
  const rate = (load.requests / load.elapsedMs) * 1_000
  const syncRate = measureSyncs(stage, SINGLE_BYTES)
  return {
    name: `POST /beta/casework/events, one a call, 32 connections (p99 ${readPercentile(load.latenciesMs, 0.99).toFixed(1)} ms; ${spent})`,
    ours: formatRate(rate, 'events/s'),
    calibration: `raw loop of 2 kB writes with fdatasync ${formatRate(syncRate, '/s')}`,
    ratio: rate / syncRate,
  }
}

async function benchPages(stage: Stage, server: ServerProcess): Promise<Figure[]> {
  const figures: Figure[] = []
  const bareMs = await measureRoundTrips(stage.pool)
  const half = `event_before=${await findMiddle(stage)}`
  const findDeep = (query: string) => findDeepPath(stage, server, `/beta/casework/${query}`)
  const paths = [
    ['events, first page', '/beta/casework/events'],
    ['events, deep page (half-way)', await findDeep(`events?limit=50&${half}`)],
    ['events of one type, deep page', await findDeep(`events?event_type=Phishing&${half}`)],
    ['cases, first page', '/beta/casework/cases'],
    ['cases, second page of NEW', await findDeep('cases?state=NEW')],
  ] as const
  for (const [name, path] of paths) {
    const load = { name, paths: [path], requestsMax: PAGES, durationMs: 20_000, bareMs }
    figures.push(await measurePage(stage, server, load))
  }
  return figures
}

/** The time in the middle between the first event and the last one. */
async function findMiddle({ pool }: Stage): Promise<string> {
  const { rows } = await pool.query<{ middle: Date }>(
    `select min(event_date) + (max(event_date) - min(event_date)) / 2 as middle from event`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('there are no events')
  return row.middle.toISOString()
}

/** The path of the page behind the first one of `path`, by its cursor. */
async function findDeepPath(stage: Stage, server: ServerProcess, path: string): Promise<string> {
  const next = await findNextPath(stage, server, path)
  if (next === null) throw new Error(`${path} has no page behind it`)
  return next
}
