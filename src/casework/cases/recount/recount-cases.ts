// The recount of `casework doctor --recount`: compares every value of cases that is stored twice
// with the rows from which it follows.

import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CorrelationKey } from '../case.ts'
import { SUMMARY_VALUES_MAX } from '../case.ts'
import { type CountedEvents, countEvents } from '../case-counters-store.ts'
import { type ListedCase, listStrayLastEvents } from '../lists/last-event-store.ts'
import { listStrayKeys, type StrayKey } from './stray-key-store.ts'

export interface Difference {
  readonly caseId: string
  readonly kind: 'counters' | 'slot' | 'merge' | 'history' | 'list' | 'waits'
  readonly detail: string
  /** A key that the case cannot have, or whose case does not exist. */
  readonly stray?: StrayKey
}

export interface Recount {
  readonly cases: number
  /** The first thousand. */
  readonly differences: readonly Difference[]
  readonly differenceCount: number
}

// Cases that are compared in one snapshot of the database. A page of average cases takes
// milliseconds, a page of the largest cases some seconds.
const CASES_AT_ONCE = 100
const DIFFERENCES_MAX = 1_000

/**
 * Compares every case of the tenant, a hundred in one snapshot of the database, so that a running
 * service causes no differences.
 */
export async function recountCases(db: Db, scope: TenantScope): Promise<Recount> {
  const differences: Difference[] = []
  let differenceCount = 0
  const add = (found: readonly Difference[]): void => {
    differenceCount += found.length
    differences.push(...found.slice(0, DIFFERENCES_MAX - differences.length))
  }
  const cases = await recountStoredCases(db, scope, add)
  await recountKeys(db, scope, add)
  await recountList(db, scope, add)
  return { cases, differences, differenceCount }
}

type AddDifferences = (found: readonly Difference[]) => void

/** Returns the number of cases. */
async function recountStoredCases(
  db: Db,
  scope: TenantScope,
  add: AddDifferences,
): Promise<number> {
  let [cases, after] = [0, '']
  // Ends: every page starts after the last id of the page before.
  for (;;) {
    const page = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => comparePage(tx, scope, after))
    cases += page.ids.length
    add(page.differences)
    const last = page.ids.at(-1)
    if (last === undefined) return cases
    after = last
  }
}

async function recountKeys(db: Db, scope: TenantScope, add: AddDifferences): Promise<void> {
  let after: CorrelationKey | null = null
  // Ends: every page starts after the last key of the page before.
  do {
    const { stray, last } = await listStrayKeys(db, scope, after)
    add(stray.map(describeStray))
    after = last
  } while (after !== null)
}

/** The list of cases by their last event. */
async function recountList(db: Db, scope: TenantScope, add: AddDifferences): Promise<void> {
  let after: ListedCase | null = null
  // Ends: every page starts after the last date and id of the page before.
  do {
    const { stray, last } = await listStrayLastEvents(db, scope, after)
    add(stray.map(describeListed))
    after = last
  } while (after !== null)
}

function describeListed({ caseId, lastEventDate }: ListedCase): Difference {
  const detail = `is listed by an event of ${lastEventDate.toISOString()}, and is otherwise`
  return { caseId, kind: 'list', detail }
}

const STRAY_REASONS = {
  gone: 'is gone, and still holds',
  ended: 'has ended, and still holds',
  not_its_key: 'has no such key, and holds',
} as const

function describeStray(stray: StrayKey): Difference {
  const { caseId, caseGroupId, keyHash, why } = stray
  const detail = `${STRAY_REASONS[why]} the slot ${keyHash} of the group ${caseGroupId}`
  return { caseId, kind: 'slot', detail, stray }
}

interface StoredCase {
  readonly id: string
  readonly eventCount: number
  readonly firstEventDate: Date
  readonly lastEventDate: Date
  readonly eventTypes: readonly string[]
  readonly eventIps: readonly string[]
  readonly eventReporters: readonly string[]
  readonly eventTags: readonly string[]
  readonly state: string
  readonly isOpen: boolean
  readonly isSealed: boolean
  /** The open case of its key. */
  readonly openCaseOfKey: string | null
  readonly mergedInto: string | null
  readonly isMerged: boolean
  readonly recordedTarget: string | null
  readonly lastState: string | null
  readonly isListed: boolean
}

async function comparePage(
  tx: Tx,
  scope: TenantScope,
  after: string,
): Promise<{ readonly ids: readonly string[]; readonly differences: readonly Difference[] }> {
  const stored = await readStoredCases(tx, scope, after)
  const ids = stored.map((row) => row.id)
  const counted = await countEvents(tx, scope, ids)
  const differences = stored.flatMap((row, at) => {
    const sums = counted[at]
    const found: (Omit<Difference, 'caseId'> | null)[] = [
      sums === undefined ? null : compareCounters(row, sums),
      compareKey(row),
      compareMerge(row),
      row.isListed ? null : { kind: 'list', detail: 'is not in the list by the last event' },
      row.lastState === row.state
        ? null
        : { kind: 'history', detail: `is ${row.state}, and its history ends in ${row.lastState}` },
    ]
    return found.flatMap((one) => (one === null ? [] : [{ caseId: row.id, ...one }]))
  })
  return { ids, differences }
}

async function readStoredCases(
  tx: Tx,
  scope: TenantScope,
  after: string,
): Promise<readonly StoredCase[]> {
  const result = await sql<StoredCase>`
    select one.id, event_count as "eventCount", first_event_date as "firstEventDate", last_event_date as "lastEventDate",
      event_types as "eventTypes", event_ips as "eventIps", event_reporters as "eventReporters",
      event_tags as "eventTags", one.state, one.ended_at is null as "isOpen",
      one.sealed_at is not null as "isSealed", merged_into as "mergedInto",
      one.close_reason is not distinct from 'merged' as "isMerged",
      (select case_id from case_slot where case_slot.tenant_id = one.tenant_id
         and case_slot.case_group_id = one.case_group_id and case_slot.key_hash = one.key_hash) as "openCaseOfKey",
      (select target_id from case_merge where case_merge.tenant_id = one.tenant_id
         and case_merge.source_id = one.id and unmerged_at is null) as "recordedTarget",
      (select to_state from case_history where case_history.tenant_id = one.tenant_id
         and case_history.case_id = one.id and to_state is not null order by id desc limit 1) as "lastState",
      exists (select from case_last_event where case_last_event.tenant_id = one.tenant_id
         and case_last_event.last_event_date = one.last_event_date and case_last_event.id = one.id) as "isListed"
    from abuse_case as one
    where tenant_id = ${scope.tenantId} and id > ${after} order by id limit ${CASES_AT_ONCE}`.execute(
    tx,
  )
  return result.rows
}

function compareCounters(
  stored: StoredCase,
  sums: CountedEvents,
): Omit<Difference, 'caseId'> | null {
  const wrong: string[] = []
  if (stored.eventCount !== sums.eventCount) {
    wrong.push(`event_count is ${stored.eventCount} and there are ${sums.eventCount}`)
  }
  const { firstEventDate: first, lastEventDate: last } = sums
  if (first !== null && first.getTime() !== stored.firstEventDate.getTime()) {
    wrong.push(`first_event_date should be ${first.toISOString()}`)
  }
  if (last !== null && last.getTime() !== stored.lastEventDate.getTime()) {
    wrong.push(`last_event_date should be ${last.toISOString()}`)
  }
  for (const name of ['eventTypes', 'eventIps', 'eventReporters', 'eventTags'] as const) {
    if (!hasSameValues(stored[name], sums[name])) {
      wrong.push(`${name} should be ${sums[name].join()}`)
    }
  }
  return wrong.length === 0 ? null : { kind: 'counters', detail: wrong.join('; ') }
}

// Transactions that commit at the same time may add values in another order than the ids of their
// events. So only the length of a full list is compared.
function hasSameValues(stored: readonly string[], counted: readonly string[]): boolean {
  if (stored.length !== counted.length) return false
  return counted.length === SUMMARY_VALUES_MAX || counted.every((value) => stored.includes(value))
}

function compareKey(row: StoredCase): Omit<Difference, 'caseId'> | null {
  if (row.isOpen && !row.isSealed && row.openCaseOfKey !== row.id) {
    return { kind: 'slot', detail: `is open, and its slot is held by ${row.openCaseOfKey}` }
  }
  return null
}

function compareMerge(row: StoredCase): Omit<Difference, 'caseId'> | null {
  const isConsistent = row.isMerged === (row.mergedInto !== null)
  if (isConsistent && row.mergedInto === row.recordedTarget) return null
  const detail = `says it was merged into ${row.mergedInto}, and its record ${row.recordedTarget}`
  return { kind: 'merge', detail }
}
