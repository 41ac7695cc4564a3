// The list of cases: the members of the interface, and beside them the summary for a desk, when it
// is asked for.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../../values/omit-nulls.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import { AssigneeName, CustomerStatus, Severity, WaitingOn } from '../case-detail-wire.ts'
import { CASE_SUMMARY_MEMBERS } from '../case-wire.ts'
import type { ListSummaryRow } from './list-summary-store.ts'

const ListedEvent = named(
  'ListedEvent',
  Type.Object(
    {
      event_id: Type.String({ format: 'uuid', description: 'Id of the event.' }),
      event_type: Type.String({ description: 'Type of the event.' }),
      ip: Type.Optional(Type.String({ description: 'The reported address.' })),
      domain: Type.Optional(Type.String({ description: 'The reported domain.' })),
    },
    { description: 'The event with the latest date. A case without events has none.' },
  ),
)

const CaseListSummary = named(
  'CaseListSummary',
  Type.Object(
    {
      version: Type.Integer({ description: 'Send it with PATCH of the case.' }),
      case_group: Type.String({ description: 'Id of its case group.' }),
      severity: Type.Optional(Severity),
      due_at: Type.Optional(
        Type.String({ format: 'date-time', description: 'The earliest deadline that is not met.' }),
      ),
      assignee_user_id: Type.Optional(Type.String({ description: 'Who works the case.' })),
      assignee_name: AssigneeName,
      waiting_on: WaitingOn,
      customer_status: CustomerStatus,
      tags: Type.Array(Type.String(), { description: 'Of the case, not of its events.' }),
      event_types: Type.Array(Type.String(), { description: 'The first hundred types.' }),
      event_count: Type.Integer({ description: 'Number of its events.' }),
      ip_count: Type.Integer({ description: 'Number of its addresses, 100 at most.' }),
      reporter_count: Type.Integer({ description: 'Number of its reporters, 100 at most.' }),
      comment_count: Type.Integer({
        description: 'Number of its comments, 1,000 at most.',
      }),
      reopen_count: Type.Integer({ description: 'How often it was opened again.' }),
      last_event: Type.Optional(ListedEvent),
      customer_name: Type.Optional(
        Type.String({ description: 'Absent when the customer is not recorded, or has no name.' }),
      ),
    },
    { description: 'With `expand=summary`: what a desk sorts and decides by.' },
  ),
)

export const CaseList = pageOf(
  named('Case', Type.Object({ ...CASE_SUMMARY_MEMBERS, summary: Type.Optional(CaseListSummary) })),
)

export function presentListSummary(
  row: ListSummaryRow,
  names: ReadonlyMap<string, string>,
): Static<typeof CaseListSummary> {
  return omitNulls<Static<typeof CaseListSummary>>({
    version: row.version,
    case_group: row.case_group_id,
    severity: row.severity,
    due_at: row.due_at?.toISOString() ?? null,
    assignee_user_id: row.assignee_user_id,
    assignee_name: names.get(row.assignee_user_id ?? '') ?? null,
    waiting_on: row.waiting_on,
    customer_status: row.customer_status,
    tags: [...row.tags],
    event_types: [...row.event_types],
    event_count: row.event_count,
    ip_count: row.ip_count,
    reporter_count: row.reporter_count,
    comment_count: row.comment_count,
    reopen_count: row.reopen_count,
    customer_name: row.customer_name,
    last_event:
      row.last_event === null ? null : omitNulls<Static<typeof ListedEvent>>(row.last_event),
  })
}
