// Reads what the events of items say for their sightings: those that count, with their reporter and
// what is known of him.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { textArray } from '../../kernel/db/sql-array.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { listTrustedSites, type ReportedEvents, type TrustedReporters } from './report-sighting.ts'

// An item with more events than this is counted by its newest: 5,000 rows of the table take some
// 20 ms. Those of trusted reporters have a bound of their own, since one mail may tell of 10,000
// events, at times that its author chooses.
const EVENTS_OF_ITEM_MAX = 5_000

// The address of a reporter after his erasure (privacy/erasure/erased-address.ts). What he reported
// no longer counts.
const ERASED_SENDER = 'erased-%@erased.invalid'

/** `column`: where events have items of this kind. Muted and withdrawn events are left out. */
export async function listReportedEvents(
  db: Db,
  { tenantId }: TenantScope,
  column: 'ip' | 'domain',
  items: readonly string[],
  trusted: TrustedReporters,
): Promise<readonly ReportedEvents[]> {
  if (items.length === 0) return []
  const isTrusted = matchTrusted(tenantId, trusted)
  const newest = (condition: RawBuilder<unknown>) => sql`
      select event_type, event_date, sender_email, report_id, case_id, mute_rule_id from event
      where event.tenant_id = ${tenantId} and event.${sql.ref(column)} = given.item collate "C" and ${condition}
      order by event_date desc, event_id desc limit ${EVENTS_OF_ITEM_MAX}`
  const found = await sql<ReportedEvents>`
    select given.item, told.event_type as "eventType", floor(extract(epoch from told.event_date) / 86400)::integer as day,
      min(extract(epoch from told.event_date) * 1000)::float8 as "firstMs",
      max(extract(epoch from told.event_date) * 1000)::float8 as "lastMs",
      count(*) as count, lower(told.sender_email) as sender,
      coalesce(told.report_id is null or (report.via in ('api', 'import') and not report.is_mail), false) as "isByToken",
      case when report.authentication -> 'dkim' ->> 'result' = 'pass' then report.authentication -> 'dkim' ->> 'domain' end as "dkimDomain",
      case when report.authentication -> 'dmarc' ->> 'result' = 'pass' then report.authentication -> 'dmarc' ->> 'domain' end as "dmarcDomain",
      report.remote_address as "remoteAddress"
    from unnest(${textArray(items)}::text[]) as given (item)
    cross join lateral (
      (${newest(isTrusted)}) union all (${newest(sql`not ${isTrusted}`)})
    ) as told
    left join report on report.tenant_id = ${tenantId} and report.id = told.report_id
    where told.mute_rule_id is null and told.sender_email not like ${ERASED_SENDER} and not exists (
      select from abuse_case
      where abuse_case.tenant_id = ${tenantId} and abuse_case.id = told.case_id and close_reason = 'false_positive'
    )
    group by 1, 2, 3, 7, 8, 9, 10, 11`.execute(db)
  return found.rows
}

/** Whether the event counts at once, as `identifyReporter` has it. */
function matchTrusted(tenantId: string, trusted: TrustedReporters): RawBuilder<unknown> {
  const { addresses, sites } = listTrustedSites(trusted)
  return sql`(event.report_id is null or exists (
    select from report where report.tenant_id = ${tenantId} and report.id = event.report_id and (
      (report.via in ('api', 'import') and not report.is_mail) or exists (
        select from unnest(${textArray(addresses)}::text[], ${textArray(sites)}::text[]) as listed (address, site),
          (values (report.authentication -> 'dkim'), (report.authentication -> 'dmarc')) as checked (answer)
        where answer ->> 'result' = 'pass' and listed.address in ('', lower(event.sender_email))
          and right('.' || (answer ->> 'domain'), length(listed.site) + 1) = '.' || listed.site
      )
    )
  ))`
}
