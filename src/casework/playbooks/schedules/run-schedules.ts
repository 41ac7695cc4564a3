// Begins the runs of schedules. A tick goes over the open cases of the groups that name the
// playbook, a batch a transaction. Its position and the runs of a batch are committed together, so
// a case is asked once a tick, whichever process goes on and wherever one ended.

import { sql } from 'kysely'
import type { BriefItem } from '../../../intel/lookup/item-brief.ts'
import { type Db, inTransaction, type Tx } from '../../../kernel/db/database.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { passOverTenant } from '../../../kernel/db/pass-over-tenant.ts'
import { inTenant } from '../../../kernel/db/row-scope.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import { WorkBudget } from '../../rules/condition-meter.ts'
import { EVENT_UNITS_MAX } from '../../rules/condition-work.ts'
import { NO_FACTS } from '../case-facts.ts'
import { type GraphCache, VersionNotReadable } from '../graph-cache.ts'
import { loadFacts } from '../runs/case-fact-store.ts'
import { startRuns } from '../runs/run-store.ts'
import { listStartConditions, type StartConditions } from '../start-conditions.ts'
import { findNextTick } from './schedule.ts'

export interface ScheduleDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly log: Log
  readonly graphs: GraphCache
  readonly briefItem: BriefItem
  readonly wakeWorkers: () => void
}

// A batch asks a condition of each case: some 20 ms. 200 batches a minute are 40,000 cases.
const CASES_AT_ONCE = 200
const BATCHES_MAX = 200
const ARMED_AT_ONCE = 100
// Other processes may be working on so many ticks, which are passed over.
const TICKS_TRIED_MAX = 100
// A version that this program cannot read, as after a return to an older one, is looked at again
// after so long; a tick that failed is tried again.
const PUT_OFF_MS = 10 * 60_000

/** What is due now, at most 40,000 cases. How many runs began. */
export async function runSchedules(
  deps: ScheduleDeps,
  signal: AbortSignal,
  casesAtOnce = CASES_AT_ONCE,
): Promise<number> {
  const act = 'run schedules'
  await inInstance(act, () => armSchedules(deps))
  let started = 0
  for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
    // One after the other, so that a large tick takes one connection.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const count = await inInstance(act, () => takeBatch(deps, casesAtOnce))
    if (count === null) break
    started += count
    if (count > 0) deps.wakeWorkers()
  }
  return started
}

interface VersionRow {
  readonly tenantId: string
  readonly playbookId: string
  readonly version: number
  readonly now: Date
}

/** Versions that became active get the time of their first tick; others lose theirs. */
async function armSchedules(deps: ScheduleDeps): Promise<void> {
  const { db } = deps
  await sql`
    delete from schedule_tick where not exists (
      select from playbook_version as version
      where version.tenant_id = schedule_tick.tenant_id and version.playbook_id = schedule_tick.playbook_id
        and version.version = schedule_tick.version and version.state = 'active'
    )`.execute(db)
  const found = await sql<VersionRow>`
    select tenant_id as "tenantId", playbook_id as "playbookId", version, now() as now from playbook_version
    where state = 'active' and is_scheduled and not exists (
      select from schedule_tick as tick
      where tick.tenant_id = playbook_version.tenant_id and tick.playbook_id = playbook_version.playbook_id
    )
    limit ${ARMED_AT_ONCE}`.execute(db)
  for (const row of found.rows) {
    const start = await loadStart(db, deps, row)
    const next = start === null ? findLater(row) : findTickAfter(start, row, row.now)
    if (next === null) continue
    await sql`
      insert into schedule_tick (tenant_id, playbook_id, version, due_at)
      values (${row.tenantId}, ${row.playbookId}, ${row.version}, ${next}) on conflict do nothing`.execute(
      db,
    )
  }
}

/** Null, and said in the log, when this program cannot read the version. */
async function loadStart(
  db: Db,
  { graphs, log }: ScheduleDeps,
  row: VersionRow,
): Promise<StartConditions | null> {
  try {
    const { graph } = await graphs.load(db, row)
    return listStartConditions(graph)
  } catch (error) {
    if (!(error instanceof VersionNotReadable)) throw error
    log.error('A schedule was put off, since its playbook cannot be read', {
      tenant_id: row.tenantId,
      error: String(error),
    })
    return null
  }
}

function findLater({ now }: VersionRow): Date {
  return new Date(now.getTime() + PUT_OFF_MS)
}

function findTickAfter({ schedule }: StartConditions, row: VersionRow, last: Date): Date | null {
  return schedule === null ? null : findNextTick(schedule.times, last, row.now)
}

type TickKey = Pick<VersionRow, 'tenantId' | 'playbookId'>

interface TickRow extends VersionRow {
  readonly dueAt: Date
  /** The last case that the tick has asked; null before the first. */
  readonly lastCase: string | null
}

/** How many runs began; null when nothing is due. */
async function takeBatch(deps: ScheduleDeps, casesAtOnce: number): Promise<number | null> {
  // The one that has waited longest for its turn, so that a large tick holds up no other.
  const due = await sql<TickKey>`
    select tenant_id as "tenantId", playbook_id as "playbookId" from schedule_tick where due_at <= now()
    order by taken_at nulls first, due_at limit ${TICKS_TRIED_MAX}`.execute(deps.db)
  for (const key of due.rows) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const count = await inTenant(key, () => takeTurn(deps, key, casesAtOnce))
    if (count !== null) return count
  }
  return null
}

/** Null when another process has it. A tick that fails is put off, and holds up no other. */
async function takeTurn(
  deps: ScheduleDeps,
  key: TickKey,
  casesAtOnce: number,
): Promise<number | null> {
  try {
    return await inTransaction(deps.db, async (tx) => {
      const tick = await claimTick(tx, key)
      return tick === null ? null : await takeBatchOf(tx, deps, tick, casesAtOnce)
    })
  } catch (error) {
    passOverTenant(deps.log, key, 'A schedule was put off, since its turn failed', error)
    await putOff(deps.db, key)
    return 0
  }
}

async function putOff(db: Db, { tenantId, playbookId }: TickKey): Promise<void> {
  await sql`
    update schedule_tick set due_at = now() + ${PUT_OFF_MS} * interval '1 millisecond', taken_at = now()
    where tenant_id = ${tenantId} and playbook_id = ${playbookId}::uuid and due_at <= now()`.execute(
    db,
  )
}

/** Locked until the transaction ends; null when another process has it, or it is due no more. */
async function claimTick(tx: Tx, { tenantId, playbookId }: TickKey): Promise<TickRow | null> {
  const claimed = await sql<TickRow>`
    select tenant_id as "tenantId", playbook_id as "playbookId", version, due_at as "dueAt", last_case as "lastCase", now() as now
    from schedule_tick where tenant_id = ${tenantId} and playbook_id = ${playbookId}::uuid and due_at <= now()
    for update skip locked`.execute(tx)
  return claimed.rows[0] ?? null
}

async function takeBatchOf(
  tx: Tx,
  deps: ScheduleDeps,
  tick: TickRow,
  casesAtOnce: number,
): Promise<number> {
  const { tenantId, playbookId } = tick
  const start = await loadStart(tx, deps, tick)
  if (start === null) {
    await moveTick(tx, tick, findLater(tick), tick.lastCase)
    return 0
  }
  const found = await sql<{ id: string }>`
    select abuse_case.id from abuse_case
    join case_group on case_group.tenant_id = abuse_case.tenant_id and case_group.id = abuse_case.case_group_id
    where abuse_case.tenant_id = ${tenantId} and case_group.playbook_id = ${playbookId}::uuid
      and abuse_case.state in ('NEW', 'IN_PROGRESS') and abuse_case.id > ${tick.lastCase ?? ''}
    order by abuse_case.id limit ${casesAtOnce}`.execute(tx)
  const caseIds = found.rows.map(({ id }) => id)
  const matching = await filterCases(tx, deps, start, tick, caseIds)
  const cases = matching.map((caseId) => ({ caseId, playbookId }))
  const started = await startRuns(tx, deps.ids, { tenantId }, cases, 'schedule')
  const isOver = caseIds.length < casesAtOnce
  const next = isOver ? findTickAfter(start, tick, tick.dueAt) : tick.dueAt
  await moveTick(tx, tick, next, isOver ? null : (caseIds.at(-1) ?? null))
  return started.length
}

/** `next` is null when the schedule has ended. */
async function moveTick(
  tx: Tx,
  { tenantId, playbookId }: TickRow,
  next: Date | null,
  lastCase: string | null,
): Promise<void> {
  await sql`
    update schedule_tick set due_at = coalesce(${next}::timestamptz, 'infinity'), last_case = ${lastCase}, taken_at = now()
    where tenant_id = ${tenantId} and playbook_id = ${playbookId}::uuid`.execute(tx)
}

async function filterCases(
  tx: Tx,
  { briefItem, log }: ScheduleDeps,
  { schedule }: StartConditions,
  tick: TickRow,
  caseIds: readonly string[],
): Promise<readonly string[]> {
  const condition = schedule?.where ?? null
  if (condition === null || caseIds.length === 0) return caseIds
  const facts = await loadFacts(tx, { ...tick, at: null }, briefItem, caseIds)
  let failed = 0
  const matching = caseIds.filter((caseId) => {
    const known = { ...NO_FACTS, ...facts.get(caseId), now: tick.now }
    const answer = condition.ask(known, new WorkBudget(EVENT_UNITS_MAX))
    if (answer.kind === 'failed') failed += 1
    return answer.kind === 'match'
  })
  if (failed > 0) {
    const { playbookId } = tick
    log.warn('The condition of a schedule failed', { playbook_id: playbookId, cases: failed })
  }
  return matching
}
