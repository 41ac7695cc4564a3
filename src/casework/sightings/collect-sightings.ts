// Brings the sightings of accepted reports into the intel set: items that events noted are counted
// again from their events, and the result replaces the sightings that were there
// (docs/decisions/0014). One node at a time works for a tenant; a pass that breaks off is repeated
// and gives the same.

import { randomBytes } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import {
  removeReportSightings,
  replaceReportSightings,
} from '../../intel/sources/push/replace-sightings.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Database, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { workOrPassOver } from '../../kernel/db/pass-over-tenant.ts'
import { asPoll } from '../../kernel/db/statement-limit.ts'
import type { Log } from '../../kernel/log.ts'
import { parseItem } from '../../values/item.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import {
  deleteSharing,
  hasSharingWork,
  insertSharing,
  listSharingWork,
  lockSharing,
  type SharingWork,
  setReportersMin,
} from './report-sharing-store.ts'
import { buildSightings, type ReportedEvents, type TrustedReporters } from './report-sighting.ts'
import { listReportedEvents } from './reported-event-store.ts'
import {
  countNewItems,
  deferItems,
  deleteAllNotedItems,
  deleteNotedItems,
  listNotedItems,
  noteItemsSince,
} from './sighting-change-store.ts'
import { listTrustedReporters } from './trusted-reporter-store.ts'

export interface CollectDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly clock: Clock
  readonly log: Log
  readonly lookBackDays: number
}

export interface SightingCollector {
  /** Whether a pass would find work (kernel/db/due-poll.ts). */
  readonly hasWork: RawBuilder<boolean>
  /** One pass over the tenants. */
  readonly collect: () => Promise<Collected>
}

interface Collected {
  /** There may be more to do at once. */
  readonly isMore: boolean
  /** Intake notes items faster than they are counted, so it needs the processors. */
  readonly isBusy: boolean
}

const NOTHING: Collected = { isMore: false, isBusy: false }

/** Without a setting of the tenant. */
const UNVERIFIED_REPORTERS_DEFAULT = 3

const DAY_MS = 86_400_000
// A pass holds the lock of a tenant and its rows for some hundred milliseconds.
const PASS = { rowsMax: 200, itemsMax: 1_000 }
// Items that were noted in the last second and still wait.
const BUSY_ITEMS = 300
// Up to 100 × 5,000 events are summed up by the database in one statement.
const ITEMS_A_STATEMENT = 100
// An item with up to so many events is counted again with every change, one with more after a pause
// of 2 ms an event: at most a hundredth of the time goes to it.
const EVENTS_AT_ONCE = 500
const PAUSE_MS_AN_EVENT = 2
const PAUSED_ITEMS_MAX = 10_000

export function createSightingCollector(deps: CollectDeps): SightingCollector {
  // When an item with many events may be counted again, by tenant and item.
  const pausedUntilMs = new Map<string, number>()
  return {
    hasWork: hasSharingWork(UNVERIFIED_REPORTERS_DEFAULT),
    async collect() {
      let isMore = false
      let isBusy = false
      const work = await asPoll(() =>
        inInstance('collect sightings', () =>
          listSharingWork(deps.database.kysely, UNVERIFIED_REPORTERS_DEFAULT),
        ),
      )
      for (const tenant of work) {
        // One tenant after the other, so that intake is not slowed down.
        const message = 'Sightings of the reports of a tenant could not be written'
        const collect = () => collectOfTenant(deps, tenant, pausedUntilMs)
        // oxlint-disable-next-line eslint/no-await-in-loop
        const done = (await workOrPassOver(deps.log, tenant, message, collect)) ?? NOTHING
        isMore ||= done.isMore
        isBusy ||= done.isBusy
      }
      return { isMore, isBusy }
    },
  }
}

async function collectOfTenant(
  deps: CollectDeps,
  tenant: SharingWork,
  pausedUntilMs: Map<string, number>,
): Promise<Collected> {
  const { sourceKey, isWanted, reportersMin } = tenant
  if (sourceKey === null) {
    return { isMore: isWanted && (await startSharing(deps, tenant)), isBusy: false }
  }
  if (!isWanted) {
    await stopSharing(deps, tenant, sourceKey)
    return NOTHING
  }
  return await inTransaction(deps.database.kysely, async (tx) => {
    if (!(await lockSharing(tx, tenant))) return NOTHING
    if (tenant.appliedMin !== reportersMin) {
      await setReportersMin(tx, tenant, reportersMin)
      await noteItemsSince(tx, tenant, lookBackStart(deps))
    }
    const noted = await listNotedItems(tx, tenant, PASS)
    if (noted.ids.length === 0) return NOTHING
    const { due, paused } = splitPaused(tenant, noted.items, pausedUntilMs, deps.clock.nowMs())
    const counted = await countItems(tx, deps, tenant, sourceKey, due)
    for (const [item, eventCount] of counted) {
      pauseItem(pausedUntilMs, `${tenant.tenantId} ${item}`, eventCount, deps.clock.nowMs())
    }
    await deleteNotedItems(tx, tenant, noted.ids)
    await deferItems(tx, tenant, paused, PAUSE_MS_AN_EVENT * EVENTS_AT_ONCE)
    const isBusy = (await countNewItems(tx, tenant)) > BUSY_ITEMS
    return { isMore: due.length > 0, isBusy }
  })
}

function lookBackStart({ clock, lookBackDays }: CollectDeps): Date {
  return new Date(clock.nowMs() - lookBackDays * DAY_MS)
}

/** Writes the sightings of these items. The number of events of each, by item. */
async function countItems(
  tx: Tx,
  deps: CollectDeps,
  tenant: SharingWork,
  sourceKey: string,
  items: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const options = {
    trusted: new Set(await listTrustedReporters(tx, tenant)),
    reportersMin: tenant.reportersMin,
    sinceMs: lookBackStart(deps).getTime(),
    sourceKey,
  }
  const subjects = items.filter((item) => parseItem(item)?.text === item)
  const events: ReportedEvents[] = []
  for (let at = 0; at < subjects.length; at += ITEMS_A_STATEMENT) {
    const slice = subjects.slice(at, at + ITEMS_A_STATEMENT)
    // Bounded memory, one statement after the other.
    // oxlint-disable-next-line eslint/no-await-in-loop
    events.push(...(await readEvents(tx, tenant, slice, options.trusted)))
  }
  const byItem = Map.groupBy(events, ({ item }) => item)
  const rows = [...byItem.values()].flatMap((ofItem) => buildSightings(ofItem, options))
  if (subjects.length > 0) {
    await replaceReportSightings(deps.database, { sourceKey, subjects, rows })
  }
  return new Map(
    [...byItem].map(([item, ofItem]) => [item, ofItem.reduce((sum, { count }) => sum + count, 0)]),
  )
}

function isDomain(item: string): boolean {
  return parseItem(item)?.kind === 'domain'
}

async function readEvents(
  tx: Tx,
  scope: TenantScope,
  items: readonly string[],
  trusted: TrustedReporters,
): Promise<readonly ReportedEvents[]> {
  const [domains, addresses] = [items.filter(isDomain), items.filter((item) => !isDomain(item))]
  return [
    ...(await listReportedEvents(tx, scope, 'ip', addresses, trusted)),
    ...(await listReportedEvents(tx, scope, 'domain', domains, trusted)),
  ]
}

function splitPaused(
  { tenantId }: TenantScope,
  items: readonly string[],
  pausedUntilMs: ReadonlyMap<string, number>,
  nowMs: number,
): { readonly due: readonly string[]; readonly paused: readonly string[] } {
  if (pausedUntilMs.size === 0) return { due: items, paused: [] }
  const isPaused = (item: string): boolean =>
    (pausedUntilMs.get(`${tenantId} ${item}`) ?? 0) > nowMs
  return { due: items.filter((item) => !isPaused(item)), paused: items.filter(isPaused) }
}

/** `key`: tenant and item. */
function pauseItem(
  pausedUntilMs: Map<string, number>,
  key: string,
  eventCount: number,
  nowMs: number,
): void {
  // Deleted first, so that the map stays in the order in which the pauses began.
  pausedUntilMs.delete(key)
  if (eventCount <= EVENTS_AT_ONCE) return
  const [oldest] = pausedUntilMs.keys()
  if (pausedUntilMs.size >= PAUSED_ITEMS_MAX && oldest !== undefined) pausedUntilMs.delete(oldest)
  pausedUntilMs.set(key, nowMs + eventCount * PAUSE_MS_AN_EVENT)
}

/** From now on, and for the events of the look-back. */
async function startSharing(deps: CollectDeps, tenant: SharingWork): Promise<boolean> {
  const { reportersMin } = tenant
  // Random, so that the names of its sources do not tell which tenant it is.
  const sourceKey = randomBytes(4).toString('hex')
  const isFirst = await inTransaction(deps.database.kysely, async (tx) => {
    if (!(await insertSharing(tx, tenant, sourceKey, reportersMin))) return false
    await noteItemsSince(tx, tenant, lookBackStart(deps))
    return true
  })
  if (isFirst) {
    deps.log.info('Accepted reports of a tenant write sightings from now on', {
      tenant: tenant.tenantId,
    })
  }
  return isFirst
}

async function stopSharing(
  deps: CollectDeps,
  tenant: SharingWork,
  sourceKey: string,
): Promise<void> {
  const isStopped = await inTransaction(deps.database.kysely, async (tx) => {
    if (!(await lockSharing(tx, tenant))) return false
    await removeReportSightings(deps.database, sourceKey)
    await deleteAllNotedItems(tx, tenant)
    await deleteSharing(tx, tenant)
    return true
  })
  if (isStopped) {
    deps.log.warn('Accepted reports of a tenant write no sightings any more; theirs were removed', {
      tenant: tenant.tenantId,
      reason: explainStop(tenant),
    })
  }
}

function explainStop({ isDefault, hasOthers }: SharingWork): string {
  if (!isDefault) return 'a person switched share_sightings off'
  const cause = hasOthers ? 'there are several tenants' : 'look-ups are open'
  return `share_sightings was on by default and is off now, since ${cause}`
}
