// SQL of what a notice tells: the case, its newest events and their reports, and the customer.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { chooseEventMonths } from '../../kernel/db/months/event-months.ts'
import { writeTexts } from '../../kernel/db/write-arrays.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'

export interface ShownCase {
  readonly id: string
  readonly state: string
  readonly caseGroup: string
  readonly severity: string | null
  readonly resolution: string | null
  readonly closeReason: string | null
  readonly customerId: string
  readonly contractId: string | null
  readonly eventCount: number
  readonly eventTypes: readonly string[]
  readonly eventIps: readonly string[]
  readonly eventReporters: readonly string[]
  readonly createdAt: Date
  readonly firstEventDate: Date
  readonly lastEventDate: Date
  readonly deadlineAt: Date | null
  readonly customerName: string | null
  readonly tenantName: string
}

/** By id; unknown ones are left out. */
export async function findShownCases(
  db: Db,
  { tenantId }: TenantScope,
  caseIds: readonly string[],
): Promise<ReadonlyMap<string, ShownCase>> {
  const found = await sql<ShownCase>`
    select one.id, one.state, one.case_group_id as "caseGroup", one.severity, one.resolution, one.close_reason as "closeReason",
      one.customer_id as "customerId", one.contract_id as "contractId", one.event_count as "eventCount",
      one.event_types as "eventTypes", one.event_ips as "eventIps", one.event_reporters as "eventReporters",
      one.created_at as "createdAt", one.first_event_date as "firstEventDate", one.last_event_date as "lastEventDate",
      one.due_at as "deadlineAt", customer.name as "customerName", tenant.name as "tenantName"
    from abuse_case as one join tenant on tenant.id = one.tenant_id
    left join customer on customer.tenant_id = one.tenant_id and customer.id = one.customer_id
    where one.tenant_id = ${tenantId} and one.id = any(${writeTexts(caseIds)}::text[])`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

export async function findTenantName(db: Db, { tenantId }: TenantScope): Promise<string> {
  const found = await sql<{ name: string }>`select name from tenant where id = ${tenantId}`.execute(
    db,
  )
  return found.rows[0]?.name ?? ''
}

export interface ShownEvent {
  readonly eventId: string
  readonly eventType: string
  readonly eventDate: Date
  readonly ip: string | null
  readonly domain: string | null
  readonly url: string | null
  readonly senderEmail: string
  readonly reportId: string | null
}

// As many as the facts of playbooks have.
const EVENTS_MAX = 100

export interface EventQuestion {
  readonly caseId: string
  /** Only his own; null for those of all. */
  readonly reporter: string | null
}

/** `emailWithoutTag` of a column, in SQL. */
export function sqlWithoutTag(column: string): RawBuilder<string> {
  return sql`regexp_replace(lower(${sql.ref(column)}), '(?!^)\\+[^@]*(?=@[^@]*$)', '')`
}

/** The newest events of each case, in the order of the questions. */
export async function listShownEvents(
  db: Db,
  scope: TenantScope,
  questions: readonly EventQuestion[],
): Promise<readonly (readonly ShownEvent[])[]> {
  if (questions.length === 0) return []
  const { tenantId } = scope
  const cases = new Set(questions.map(({ caseId }) => caseId))
  const months = await chooseEventMonths(db, scope, 'case', [...cases])
  const found = await sql<ShownEvent & { at: number }>`
    select given.at::integer, shown.* from unnest(${writeTexts(questions.map(({ caseId }) => caseId))}::text[],
      ${writeTexts(questions.map(({ reporter }) => reporter))}::text[]) with ordinality as given (case_id, reporter, at)
    cross join lateral (
      select event_id as "eventId", event_type as "eventType", event_date as "eventDate", ip, domain,
        case when jsonb_typeof(details -> 'url') = 'string' then details ->> 'url' end as url,
        sender_email as "senderEmail", report_id as "reportId"
      from event where tenant_id = ${tenantId} and case_id = given.case_id and ${months}
        and (given.reporter is null or ${sqlWithoutTag('sender_email')} = ${sqlWithoutTag('given.reporter')})
      order by event_date desc, event_id desc limit ${EVENTS_MAX}
    ) as shown
    order by given.at, shown."eventDate" desc, shown."eventId" desc`.execute(db)
  const events = Map.groupBy(found.rows, ({ at }) => at)
  return questions.map((_, at) => events.get(at + 1) ?? [])
}

/** Those of the addresses, given in lower case, that are traps of the tenant. */
export async function findTraps(
  db: Db,
  { tenantId }: TenantScope,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  // An entry `*@domain` is a trap for every address of the domain.
  const asked = addresses.flatMap((one) => [one, `*@${one.slice(one.lastIndexOf('@') + 1)}`])
  const found = await sql<{ address: string }>`
    select address from report_address
    where tenant_id = ${tenantId} and is_trap and address = any(${asked}::text[])`.execute(db)
  const traps = new Set(found.rows.map(({ address }) => address))
  return new Set(
    addresses.filter(
      (one) => traps.has(one) || traps.has(`*@${one.slice(one.lastIndexOf('@') + 1)}`),
    ),
  )
}
