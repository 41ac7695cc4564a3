// Makes deliveries of changes: one for each webhook whose filter lets the change through. Runs in
// the transaction that takes the changes out of the outbox, so a change is neither lost nor told
// twice.

import type { Tx } from '../../kernel/db/database.ts'
import { inTenant } from '../../kernel/db/row-scope.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { isJsonObject } from '../../values/json-value.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import type { Change } from '../changes/change.ts'
import type { ChangeListener } from '../changes/feed-changes.ts'
import { insertDeliveries, type NewDelivery } from './delivery-store.ts'
import {
  type CaseOfMessage,
  type EventOfMessage,
  findCasesOfMessages,
  findEventsOfMessages,
} from './message-store.ts'
import { type FilteredChange, passesFilter } from './webhook.ts'
import { listEnabledWebhooks, type WebhookRecord } from './webhook-store.ts'
import type { MessageType } from './webhook-wire.ts'

export function createWebhookListener({ ids }: { readonly ids: IdSource }): ChangeListener {
  return {
    kinds: ['case', 'event', 'report', 'run'],
    async consume(tx, changes) {
      const tenants = Map.groupBy(changes, ({ tenantId }) => tenantId)
      const webhooks = await listEnabledWebhooks(tx, [...tenants.keys()])
      const deliveries: NewDelivery[] = []
      for (const [tenantId, ofTenant] of tenants) {
        const told = webhooks.get(tenantId) ?? []
        if (told.length === 0) continue
        // oxlint-disable-next-line eslint/no-await-in-loop
        const messages = await inTenant({ tenantId }, () =>
          describeChanges(tx, { tenantId }, ofTenant),
        )
        deliveries.push(
          ...messages.flatMap((message) => buildDeliveries(ids, tenantId, message, told)),
        )
      }
      await insertDeliveries(tx, deliveries)
    },
  }
}

interface DescribedChange extends FilteredChange {
  readonly at: Date
  readonly data: object
}

function buildDeliveries(
  ids: IdSource,
  tenantId: string,
  message: DescribedChange,
  webhooks: readonly WebhookRecord[],
): readonly NewDelivery[] {
  const { type, at, data } = message
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
  return webhooks
    .filter((webhook) => passesFilter(webhook, message))
    .map(({ id: webhookId }) => ({ tenantId, id: ids.nextUuid(), webhookId, type, body }))
}

/** Nothing is told of a case or event that retention has removed meanwhile. */
async function describeChanges(
  tx: Tx,
  scope: TenantScope,
  changes: readonly Change[],
): Promise<readonly DescribedChange[]> {
  const ofKind = (kind: Change['kind']): readonly string[] => [
    ...new Set(changes.filter((one) => one.kind === kind).map(({ subjectId }) => subjectId)),
  ]
  const ofRuns = changes.flatMap(({ kind, caseId }) =>
    kind === 'run' && caseId !== null ? [caseId] : [],
  )
  const cases = await findCasesOfMessages(tx, scope, [...new Set([...ofKind('case'), ...ofRuns])])
  const events = await findEventsOfMessages(tx, scope, ofKind('event'))
  return changes.flatMap((change) => {
    switch (change.kind) {
      case 'case':
        return describeCase(scope, change, cases.get(change.subjectId))
      case 'event':
        return describeEvent(scope, change, events.get(change.subjectId))
      case 'run':
        return describeRun(scope, change, cases.get(change.caseId ?? ''))
      case 'report':
        return describeReport(scope, change)
    }
  })
}

const TYPES_OF_CASES: Readonly<Record<string, MessageType>> = {
  open: 'case.opened',
  move: 'case.moved',
  comment: 'case.commented',
  mitigation: 'case.mitigated',
  run_failed: 'case.run_ended',
  run_ended: 'case.run_ended',
}

function describeCase(
  { tenantId }: TenantScope,
  change: Change,
  present: CaseOfMessage | undefined,
): readonly DescribedChange[] {
  if (present === undefined) return []
  const { case_group: caseGroup, ...row } = present
  const { data, what, at } = change
  const changed = data?.['changes']
  return [
    {
      type: TYPES_OF_CASES[what] ?? 'case.changed',
      at,
      caseGroup,
      customer: row.customer_id,
      eventTypes: row.event_types,
      data: {
        tenant_id: tenantId,
        case: dropNulls({ ...row, case_group: caseGroup }),
        change: dropNulls({
          kind: what,
          from_state: data?.['from_state'] ?? null,
          to_state: data?.['to_state'] ?? null,
          members: typeof changed === 'object' && changed !== null ? Object.keys(changed) : null,
          mitigation: what === 'mitigation' ? describeMitigation(changed) : null,
          actor: { kind: change.actorKind, id: change.actor },
        }),
      },
    },
  ]
}

/** Without its target: a receiver that may see it asks for the record. */
function describeMitigation(changed: unknown): object | null {
  if (!isJsonObject(changed)) return null
  const { mitigation_id: id, kind, state } = changed
  return { id, kind, state }
}

const TYPES_OF_RUNS: ReadonlyMap<string, MessageType> = new Map(
  (
    [
      'run.started',
      'run.waiting',
      'run.ended',
      'run.failed',
      'run.cancelled',
      'run.paused',
      'run.resumed',
      'run.migrated',
    ] as const
  ).map((type) => [type.slice('run.'.length), type]),
)

/** The filters look at the case of the run. */
function describeRun(
  { tenantId }: TenantScope,
  { what, subjectId, data, actorKind, actor, at }: Change,
  ofRun: CaseOfMessage | undefined,
): readonly DescribedChange[] {
  const type = TYPES_OF_RUNS.get(what)
  if (type === undefined || ofRun === undefined) return []
  const { id, case_group: caseGroup, customer_id: customer, event_types: eventTypes } = ofRun
  return [
    {
      type,
      at,
      caseGroup,
      customer,
      eventTypes,
      data: {
        tenant_id: tenantId,
        run: { id: subjectId, case_id: id, ...data },
        actor: { kind: actorKind, id: actor },
      },
    },
  ]
}

function describeEvent(
  { tenantId }: TenantScope,
  { at }: Change,
  present: EventOfMessage | undefined,
): readonly DescribedChange[] {
  if (present === undefined) return []
  const { case_group: caseGroup, ...row } = present
  return [
    {
      type: 'event.stored',
      at,
      caseGroup,
      customer: row.customer_id,
      eventTypes: [row.event_type],
      data: {
        tenant_id: tenantId,
        event: dropNulls({ ...row, event_date: row.event_date.toISOString() }),
      },
    },
  ]
}

function describeReport(
  { tenantId }: TenantScope,
  { what, subjectId, at }: Change,
): readonly DescribedChange[] {
  const type = `report.${what}`
  if (type !== 'report.accepted' && type !== 'report.rejected' && type !== 'report.quarantined') {
    return []
  }
  const data = { tenant_id: tenantId, report: { id: subjectId, state: what } }
  return [{ type, at, caseGroup: null, customer: null, eventTypes: [], data }]
}

function dropNulls(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
