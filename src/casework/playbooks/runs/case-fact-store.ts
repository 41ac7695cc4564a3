// SQL of the facts: what nodes may ask of a case, for all cases of a batch of one tenant in one
// statement.

import { sql } from 'kysely'
import type { BriefItem } from '../../../intel/lookup/item-brief.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { chooseEventMonths } from '../../../kernel/db/months/event-months.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { NewEvent } from '../../../vocabulary/event.ts'
import { buildConditionInput, viewItem } from '../../rules/condition-environment.ts'
import {
  type CaseFacts,
  type EventInList,
  FACT_CONTACTS_MAX,
  FACT_COUNT_MAX,
  FACT_EVENTS_MAX,
  type Facts,
  NO_EVENT,
  NO_FACTS,
} from '../case-facts.ts'

/** The facts of a case, without those of the token. */
export type FactsOfCase = Omit<Facts, 'vars' | 'run' | 'now'>

interface FactRow {
  readonly case: Omit<
    CaseFacts,
    | 'event_count'
    | 'reopen_count'
    | 'first_event_date'
    | 'last_event_date'
    | 'created_at'
    | 'updated_at'
    | 'due_at'
    | 'deadline_at'
  > & { readonly event_count: number; readonly reopen_count: number }
  readonly first: Date
  readonly last: Date
  readonly created: Date
  readonly updated: Date
  readonly due: Date | null
  readonly deadline: Date | null
  readonly newest: NewEvent | null
  /** Of the newest event. */
  readonly owner: { readonly customerId: string | null; readonly contractId: string | null } | null
  readonly events: readonly (Omit<EventInList, 'event_date'> & { readonly event_date: string })[]
  readonly lastDay: number
  readonly lastWeek: number
  readonly customer:
    | (Omit<Facts['customer'], 'is_known' | 'contacts'> & {
        readonly contacts: readonly Readonly<Record<string, string>>[]
      })
    | null
}

/**
 * By case. A case that the tenant does not have is left out. `at`: the time of the step, from which
 * events of the last day and week are counted; null for that of the database.
 */
export async function loadFacts(
  db: Db,
  scope: TenantScope & { readonly at: Date | null },
  briefItem: BriefItem,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, FactsOfCase>> {
  const months = await chooseEventMonths(db, scope, 'case', caseIds)
  const result = await sql<FactRow>`
    select jsonb_build_object(
        'id', one.id, 'state', one.state, 'case_group', one.case_group_id, 'severity', coalesce(one.severity, ''),
        'resolution', coalesce(one.resolution, ''), 'close_reason', coalesce(one.close_reason, ''), 'waiting_on', one.waiting_on,
        'customer_status', one.customer_status, 'customer_id', one.customer_id, 'contract_id', coalesce(one.contract_id, ''),
        'assignee_user_id', coalesce(one.assignee_user_id, ''), 'tags', one.tags, 'metadata', one.metadata, 'event_count', one.event_count,
        'event_types', one.event_types, 'event_ips', one.event_ips, 'event_reporters', one.event_reporters, 'event_tags', one.event_tags,
        'reopen_count', one.reopen_count) as "case",
      one.first_event_date as first, one.last_event_date as last, one.created_at as created, one.updated_at as updated,
      one.due_at as due, one.deadline_at as deadline, newest.event as newest, newest.owner,
      coalesce(listed.events, '[]') as events, day.count as "lastDay", week.count as "lastWeek", stored.customer
    from abuse_case as one
    left join lateral (
      select jsonb_build_object('eventDate', event.event_date, 'eventType', event.event_type, 'eventSubtypes', event.event_subtypes,
          'xarfClass', event.xarf_class, 'senderEmail', event.sender_email, 'recipientEmail', event.recipient_email, 'ip', event.ip,
          'domain', event.domain, 'tags', event.tags, 'details', event.details, 'reportId', event.reporter_report_id) as event,
        jsonb_build_object('customerId', event.customer_id, 'contractId', event.contract_id) as owner
      from event where event.tenant_id = ${scope.tenantId} and event.case_id = one.id and ${months}
      order by event.event_date desc, event.event_id desc limit 1
    ) as newest on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('event_id', event.event_id, 'event_type', event.event_type,
          'event_subtypes', event.event_subtypes, 'event_date', event.event_date, 'sender_email', event.sender_email,
          'ip', coalesce(event.ip, ''), 'domain', coalesce(event.domain, ''), 'tags', event.tags,
          'report_id', coalesce(event.reporter_report_id, '')) order by event.event_date desc, event.event_id desc) as events
      from (
        select * from event where event.tenant_id = ${scope.tenantId} and event.case_id = one.id and ${months}
        order by event.event_date desc, event.event_id desc limit ${FACT_EVENTS_MAX}
      ) as event
    ) as listed on true
    cross join lateral (
      select count(*) as count from (
        select from event where event.tenant_id = ${scope.tenantId} and event.case_id = one.id and ${months}
          and event.event_date > coalesce(${scope.at}::timestamptz, now()) - interval '1 day' limit ${FACT_COUNT_MAX}
      ) as within
    ) as day
    cross join lateral (
      select count(*) as count from (
        select from event where event.tenant_id = ${scope.tenantId} and event.case_id = one.id and ${months}
          and event.event_date > coalesce(${scope.at}::timestamptz, now()) - interval '7 days' limit ${FACT_COUNT_MAX}
      ) as within
    ) as week
    left join lateral (
      select jsonb_build_object('id', customer.id, 'name', coalesce(customer.name, ''),
        'parent_customer_id', coalesce(customer.parent_customer_id, ''), 'contacts', customer.contacts,
        'metadata', customer.metadata) as customer
      from customer where customer.tenant_id = ${scope.tenantId} and customer.id = one.customer_id
    ) as stored on true
    where one.tenant_id = ${scope.tenantId} and one.id = any(${[...caseIds]}::text[])`.execute(db)
  return new Map(result.rows.map((row) => [row.case.id, buildFacts(row, briefItem)]))
}

function buildFacts(row: FactRow, briefItem: BriefItem): FactsOfCase {
  const { newest, owner, customer } = row
  const seen =
    newest === null
      ? {
          event: NO_EVENT,
          intel: { ip: viewItem(null, briefItem), domain: viewItem(null, briefItem) },
        }
      : buildConditionInput(
          newest,
          {
            customerId: owner?.customerId ?? '',
            contractId: owner?.contractId ?? null,
            resourceId: null,
          },
          briefItem,
        )
  return {
    case: {
      ...row.case,
      event_count: BigInt(row.case.event_count),
      reopen_count: BigInt(row.case.reopen_count),
      first_event_date: row.first,
      last_event_date: row.last,
      created_at: row.created,
      updated_at: row.updated,
      due_at: row.due,
      deadline_at: row.deadline,
    },
    event: seen.event,
    // Looked up when it is asked for.
    get intel() {
      return seen.intel
    },
    events: {
      newest: row.events.map((event) => ({ ...event, event_date: new Date(event.event_date) })),
      count: BigInt(row.case.event_count),
      last_day: BigInt(row.lastDay),
      last_week: BigInt(row.lastWeek),
    },
    customer:
      customer === null
        ? { ...NO_FACTS.customer, id: row.case.customer_id }
        : {
            ...customer,
            is_known: true,
            contacts: customer.contacts.slice(0, FACT_CONTACTS_MAX),
          },
  }
}
