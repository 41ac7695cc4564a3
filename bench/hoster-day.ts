// A day of a made-up hoster through the public interface: three tenants whose owners come from CSV,
// events with relapses, late reports and resent ones among them, and a desk that works the cases
// meanwhile. At the end all counts and cases are checked.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPackageRoot } from '../src/values/resources.ts'
import { buildHoster, type MadeUpEvent, makeEvent } from './lib/made-up-hoster.ts'
import type { ServerProcess } from './lib/process.ts'
import { createRandom, type Random } from './lib/random.ts'
import { type Figure, formatRate, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { sum } from './lib/statistics.ts'
import { createTenantDesk, type TenantDesk } from './lib/tenant-desk.ts'

const CUSTOMERS = [1_200, 500, 300] as const
const EVENTS = readCount('BENCH_HOSTER_EVENTS', 50_000)
const HOURS = 24
const HOUR_MS = 3_600_000
const BATCH_MAX = 500
const WRITERS = 4
// Of a CSV, the line with the names of the columns, and what stands behind the last line break.
const HEAD_AND_END = 2
const SEED = 11
// Of a hundred events: about something seen just now, so what was resolved before relapses; the
// others are of the day that passed.
const OF_NOW = 60
// Of a hundred batches: sent a second time.
const RESENT = 10
const COMMAND_TIMEOUT_MS = 600_000

export async function benchHosterDay(stage: Stage): Promise<void> {
  const server = await stage.startServer()
  try {
    const dayStartMs = Date.now() - HOURS * HOUR_MS
    const tenants: Tenant[] = []
    for (const [index, customers] of CUSTOMERS.entries()) {
      const desk = await createTenantDesk(server.port, stage.token, `hoster-${index + 1}`)
      tenants.push({ desk, customers, dayStartMs, expected: new Map() })
    }
    const imported = await importOwners(stage, server, tenants)
    const startedAt = performance.now()
    await liveTheDay(tenants, dayStartMs)
    const daySeconds = (performance.now() - startedAt) / 1_000
    await proveRight(stage, tenants)
    const customers = sum(CUSTOMERS).toLocaleString('en')
    const title = `A day of a hoster: ${CUSTOMERS.length} tenants, ${customers} customers, ${EVENTS.toLocaleString('en')} events`
    printFigures(title, [
      figure(
        'customers, contracts and resources from CSV',
        formatRate(imported.rows / imported.seconds, 'rows/s'),
      ),
      figure(
        'events into cases, with the desk at work',
        formatRate(EVENTS / daySeconds, 'events/s'),
      ),
      ...(await describeDay(stage)),
    ])
    console.log(`\n$ casework doctor --recount\n${await recount(stage)}`)
  } finally {
    await server.stop()
  }
}

interface Tenant {
  readonly desk: TenantDesk
  readonly customers: number
  readonly dayStartMs: number
  /** Who must own each event, by its id. */
  readonly expected: Map<string, string | null>
}

function figure(name: string, ours: string): Figure {
  return { name, ours, calibration: '-', ratio: null }
}

async function importOwners(
  stage: Stage,
  server: ServerProcess,
  tenants: readonly Tenant[],
): Promise<{ readonly rows: number; readonly seconds: number }> {
  const startedAt = performance.now()
  let rows = 0
  for (const { desk, customers, dayStartMs } of tenants) {
    const hoster = buildHoster(customers, dayStartMs)
    const files = [
      ['customers', hoster.customersCsv],
      ['contracts', hoster.contractsCsv],
      ['resources', hoster.resourcesCsv],
    ] as const
    for (const [kind, csv] of files) {
      const file = join(stage.folder, `${desk.tenantId}-${kind}.csv`)
      writeFileSync(file, csv)
      rows += csv.split('\n').length - HEAD_AND_END
      const { stdout } = await runCasework(['import', kind, file], {
        CASEWORK_URL: `http://127.0.0.1:${server.port}`,
        CASEWORK_TOKEN: desk.token,
      })
      console.log(`${desk.tenantId} $ casework import ${kind}: ${stdout.trim().split('\n').at(-1)}`)
    }
  }
  return { rows, seconds: (performance.now() - startedAt) / 1_000 }
}

function runCasework(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly stdout: string }> {
  const program = join(findPackageRoot(), 'bin/casework.js')
  return promisify(execFile)(process.execPath, [program, ...args], {
    env: { ...process.env, ...environment },
    timeout: COMMAND_TIMEOUT_MS,
  })
}

/** Hour by hour: several writers at once push what came in, then the desk works. */
async function liveTheDay(tenants: readonly Tenant[], dayStartMs: number): Promise<void> {
  const random = createRandom(SEED)
  const perHour = Math.ceil(EVENTS / HOURS)
  let rest = EVENTS
  for (let hour = 0; hour < HOURS; hour += 1) {
    const batches: Batch[] = []
    for (let left = Math.min(perHour, rest); left > 0; ) {
      const batch = makeBatch(random, random.pick(tenants), dayStartMs + hour * HOUR_MS, left)
      left -= batch.events.length
      rest -= batch.events.length
      batches.push(batch)
      if (random.integer(100) < RESENT) batches.push(batch)
    }
    let next = 0
    const write = async (): Promise<void> => {
      while (next < batches.length) {
        const batch = batches[next]
        next += 1
        if (batch !== undefined) await push(batch)
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    await Promise.all(tenants.map(({ desk }) => desk.work(random)))
  }
}

interface Batch {
  readonly tenant: Tenant
  readonly events: readonly MadeUpEvent[]
}

function makeBatch(random: Random, tenant: Tenant, hourMs: number, most: number): Batch {
  const size = Math.min(most, 1 + random.integer(BATCH_MAX))
  const events = Array.from({ length: size }, () => {
    const isOfNow = random.integer(100) < OF_NOW
    const eventMs = isOfNow ? Date.now() : hourMs + random.integer(HOUR_MS)
    return makeEvent(random, tenant.customers, tenant.dayStartMs, eventMs)
  })
  return { tenant, events }
}

async function push({ tenant, events }: Batch): Promise<void> {
  const ids = await tenant.desk.push(events.map(({ json }) => json))
  for (const [index, id] of ids.entries()) {
    tenant.expected.set(id, events[index]?.customerId ?? null)
  }
}

/**
 * Compares every stored event with what the generator knows of it, and asks for open cases that
 * should be one.
 */
async function proveRight(stage: Stage, tenants: readonly Tenant[]): Promise<void> {
  for (const { desk, expected } of tenants) {
    const stored = await stage.pool.query<{ id: string; customer: string | null }>(
      'select event_id as id, customer_id as customer from event where tenant_id = $1',
      [desk.tenantId],
    )
    if (stored.rows.length !== expected.size) {
      throw new Error(`${desk.tenantId}: ${stored.rows.length} stored, ${expected.size} pushed`)
    }
    const wrong = stored.rows.filter(({ id, customer }) => expected.get(id) !== customer)
    if (wrong.length > 0) {
      throw new Error(`${wrong.length} of another owner: ${JSON.stringify(wrong.slice(0, 3))}`)
    }
  }
  const doubles = await stage.pool.query(
    `select tenant_id, case_group_id, customer_id from abuse_case
     where state in ('NEW', 'IN_PROGRESS') group by 1, 2, 3 having count(*) > 1`,
  )
  const most = sum(tenants.map(({ desk }) => desk.readDoublesMax()))
  console.log(
    `customers with two open cases in a group: ${doubles.rows.length} (the desk made up to ${most} by splitting and by undoing merges)`,
  )
  if (doubles.rows.length > most) throw new Error('a customer has two open cases by itself')
}

async function describeDay(stage: Stage): Promise<Figure[]> {
  const { rows } = await stage.pool.query<{ name: string; number: string }>(
    `select 'cases ' || state as name, count(*)::text as number from abuse_case group by state
     union all select 'relapses: cases that follow an ended one', count(*)::text from abuse_case where linked_case_id is not null
     union all select 'events stored', count(*)::text from event
     union all select 'late events', count(*)::text from event where 'late' = any(tags)
     union all select 'unassigned events', count(*)::text from event where unassigned_cause is not null
     union all select 'events sent again', sum(seen_count - 1)::text from event_fingerprint`,
  )
  return rows.map(({ name, number }) => figure(name, number))
}

async function recount(stage: Stage): Promise<string> {
  const { stdout } = await runCasework(['doctor', '--recount'], {
    DATABASE_URL: stage.databaseUrl,
    CASEWORK_DATA_DIR: join(stage.folder, 'server'),
  })
  return stdout.trim()
}
