// Writes millions of events with their cases into a fresh database by COPY, as a busy desk would
// have them after some years: most customers with some tens of events, one case with a fifth of
// all, a few events without a customer.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { startOfMonth } from '../../src/kernel/db/months/months.ts'
import { findPackageRoot } from '../../src/values/resources.ts'
import { createRandom, type Random } from './random.ts'
import type { Stage } from './stage.ts'

export interface WrittenEvents {
  readonly count: number
  /** Has a fifth of all events. */
  readonly largeCaseId: string
  /** Has some tens of events, if there are millions. */
  readonly smallCaseId: string
  /** When the first event came. */
  readonly firstMs: number
  /** Between an event and the next one. */
  readonly stepMs: number
}

const TYPES = ['LoginAttack', 'PortScan', 'Spam', 'Phishing', 'Malware', 'Bot', 'DDos', 'WebHack']
const RARE_TYPE = 'ChildAbuse'
const CUSTOMERS = 100_000
const SEED = 11
/** The first of the 36 months that have events; this month is the last. */
export const FIRST_MS = startOfMonth(Date.now(), -35)
const SPAN_MS = Date.now() - FIRST_MS
export const LARGE_CUSTOMER = 'customer-0'
export const SMALL_CUSTOMER = 'customer-77'
export const RARE_DOMAIN = 'rare.example.org'
/** Words in the details of one event in so many, if texts are wanted. */
export const WORDS = [
  { word: 'tcp', every: 1 },
  { word: 'dictionary', every: 10 },
  { word: 'kerberos', every: 100 },
  { word: 'gopher', every: 1_000 },
  { word: 'zeppelin', every: 100_000 },
] as const
// This many of the oldest events have a word that no newer event has.
const FOSSILS = 100_000

export interface EventTexts {
  /** Details with words and URLs; otherwise they have a port, a protocol and a number only. */
  readonly hasTexts: boolean
}

/**
 * Needs the tables, without any event. Makes indexes after the rows, which is many times faster
 * than with each row.
 */
export async function writeEvents(
  stage: Stage,
  count: number,
  texts: EventTexts = { hasTexts: false },
): Promise<WrittenEvents> {
  const client = await stage.pool.connect()
  try {
    await client.query(`set statement_timeout = 0; set maintenance_work_mem = '512MB'`)
    const restore = await dropIndexes(client)
    await client.query('begin')
    await client.query('truncate event')
    const columns =
      'tenant_id, event_id, create_date, event_date, event_type, sender_email, domain, ip, resolved, customer_id, case_id, event_subtypes, tags, details, unassigned_cause'
    await pipeline(
      Readable.from(listLines(count, texts)),
      client.query(copyFrom(`copy event (${columns}) from stdin`)),
    )
    await client.query('commit')
    for (const statement of restore) await client.query(statement)
    await writeCases(client)
    await writeHours(client)
    // As the database does by itself after some minutes; index-only scans need it.
    await client.query('vacuum (freeze, analyze)')
  } finally {
    client.release()
  }
  const stepMs = SPAN_MS / count
  return { count, largeCaseId: caseOf(0), smallCaseId: caseOf(77), firstMs: FIRST_MS, stepMs }
}

async function dropIndexes(client: PoolClient): Promise<readonly string[]> {
  const found = await client.query<{ name: string; definition: string; key: string | null }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
       case when c.oid is not null then format('alter table event add constraint %I %s', c.conname, pg_get_constraintdef(c.oid)) end as key
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'p'
     where i.indrelid = 'event'::regclass`,
  )
  for (const { name, key } of found.rows) {
    await client.query(
      key === null ? `drop index ${name}` : `alter table event drop constraint ${name}`,
    )
  }
  // The index of a divided table is defined `on only`, which would leave its partitions without.
  return found.rows.map(({ definition, key }) => key ?? definition.replace(' ON ONLY ', ' ON '))
}

function* listLines(count: number, { hasTexts }: EventTexts): Generator<string> {
  const random = createRandom(SEED)
  const stepMs = SPAN_MS / count
  let lines: string[] = []
  for (let index = 0; index < count; index += 1) {
    lines.push(writeLine(index, FIRST_MS + Math.floor(index * stepMs), random, hasTexts))
    if (lines.length < 2_000) continue
    yield `${lines.join('\n')}\n`
    lines = []
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`
}

function writeLine(index: number, createMs: number, random: Random, hasTexts: boolean): string {
  // Every fifth is of the one large case; one of a hundred has no customer.
  const isLarge = index % 5 === 0
  const isUnassigned = index % 100 === 1
  const customer = isLarge ? 0 : 1 + random.integer(CUSTOMERS - 1)
  const eventMs = createMs - random.integer(3 * 24 * 60 * 60 * 1_000)
  const type = index % 500_000 === 3 ? RARE_TYPE : (TYPES[random.integer(TYPES.length)] ?? 'Spam')
  let domain = random.integer(5) === 0 ? `site-${customer}.example.net` : '\\N'
  if (index % 250_000 === 7) domain = RARE_DOMAIN
  return [
    'default',
    eventId(createMs, index),
    new Date(createMs).toISOString(),
    new Date(eventMs).toISOString(),
    type,
    `reporter-${random.integer(500)}@example.org`,
    domain,
    addressOf(customer),
    // One of a thousand is resolved.
    index % 1_000 === 5 ? 't' : 'f',
    isUnassigned ? '\\N' : `customer-${customer}`,
    isUnassigned ? '\\N' : caseOf(customer),
    '{}',
    '{}',
    `{"port": ${random.integer(65_000)}, "protocol": "tcp", "attempts": ${random.integer(500)}${hasTexts ? writeTexts(index, customer) : ''}}`,
    isUnassigned ? 'no_match' : '\\N',
  ].join('\t')
}

function writeTexts(index: number, customer: number): string {
  const words: string[] = WORDS.slice(1).flatMap(({ word, every }) =>
    index % every === 9 ? [word] : [],
  )
  if (index < FOSSILS) words.push('fossil')
  const url = index % 10 === 3 ? `, "url": "https://site-${customer}.example.net/in"` : ''
  return `${words.length > 0 ? `, "message": "${words.join(' ')}"` : ''}${url}`
}

/** Any customer but the largest one. */
export function pickCustomer(random: Random): number {
  return 1 + random.integer(CUSTOMERS - 1)
}

export function addressOf(customer: number): string {
  return `198.${18 + (customer >> 16)}.${(customer >> 8) & 255}.${customer & 255}`
}

/** UUIDv7: in the order of time, and of the index within a millisecond. */
function eventId(timeMs: number, index: number): string {
  const time = timeMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`
}

export function caseOf(customer: number): string {
  return `C-01857000-0000-7000-8000-${customer.toString(16).toUpperCase().padStart(12, '0')}`
}

/** The customers of these events, and a comment for every fifth case. */
export async function writeCustomers({ pool }: Stage): Promise<void> {
  await pool.query(`
    insert into customer (tenant_id, id, name)
    select 'default', 'customer-' || place, (array['Amber', 'Cedar', 'Lime', 'Oak'])[1 + place % 4] || ' Hosting ' || place
    from generate_series(0, ${CUSTOMERS - 1}) as place`)
  await pool.query(`
    insert into case_comment (tenant_id, case_id, id, text, author, created_at)
    select tenant_id, id, gen_random_uuid(), 'The customer was called about ' || substr(customer_id, 10), 'bench', created_at
    from abuse_case where ('x' || right(id, 4))::bit(16)::integer % 5 = 0`)
  await pool.query('vacuum analyze customer')
  await pool.query('vacuum analyze case_comment')
}

async function writeCases(client: PoolClient): Promise<void> {
  await client.query(`
    insert into abuse_case (tenant_id, id, case_group_id, key_hash, state, created_at, updated_at, customer_id, first_event_date,
      last_event_date, event_count, event_types, event_ips, event_reporters, event_tags, resolution, close_reason, resolved_at,
      ended_at, severity, assignee_user_id, waiting_on, tags, laws)
    select 'default', case_id, 'default', sha256(case_id::bytea), state, created, created, customer_id, first, last, count, types, ips,
      '{}', '{}', case when state = 'RESOLVED' then 'fixed' end, case when state = 'CLOSED' then 'expired' end,
      case when state = 'RESOLVED' then last end, case when state in ('RESOLVED', 'CLOSED') then last end,
      case place % 50 when 0 then 'high' when 1 then 'low' end, case when place % 40 = 0 then 'agent-' || place % 7 end,
      case when state in ('NEW', 'IN_PROGRESS') and place % 10 = 0 then 'customer' else 'none' end,
      case when place % 1000 = 0 then array['campaign'] else '{}' end, '{dsa,nis2}'
    from (
      select *, (array['NEW', 'CLOSED', 'RESOLVED', 'CLOSED', 'IN_PROGRESS'])[1 + place % 5] as state from (
        select case_id, min(customer_id) as customer_id, min(event_date) as first, max(event_date) as last, count(*) as count,
          (array_agg(distinct event_type))[1:100] as types, (array_agg(distinct ip))[1:100] as ips, min(create_date) as created,
          row_number() over (order by case_id) - 1 as place
        from event where case_id is not null group by case_id
      ) as sums
    ) as cases`)
  await client.query(`
    insert into case_history (tenant_id, case_id, id, at, kind, actor_kind, actor, to_state)
    select tenant_id, id, gen_random_uuid(), created_at, 'open', 'system', 'bench', state from abuse_case`)
  await client.query(`
    insert into case_last_event (tenant_id, last_event_date, id, state, created_at, customer_id, contract_id, case_group_id)
    select tenant_id, last_event_date, id, state, created_at, customer_id, contract_id, case_group_id from abuse_case`)
}

/** Counts the events by hour, by the statement of the migration that made these counters. */
async function writeHours(client: PoolClient): Promise<void> {
  const file = readFileSync(join(findPackageRoot(), 'migrations/0029-hours-of-events.sql'), 'utf8')
  await client.query('truncate event_hour')
  await client.query(file.slice(file.indexOf('insert into event_hour')))
}
