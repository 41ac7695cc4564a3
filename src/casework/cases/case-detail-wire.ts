// One case in full (design sections 9 and 10), and the values of its members, which the change of a
// case and the list take from here.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import type { Deadline } from './case-deadline.ts'
import type { CaseProgress } from './case-progress.ts'
import type { CaseRow } from './case-tables.ts'
import { CASE_SUMMARY_MEMBERS, presentCase } from './case-wire.ts'
import { presentWaitingNode, WaitingTrigger } from './waiting-trigger-wire.ts'

export const Severity = named(
  'Severity',
  Type.Union([
    Type.Literal('low'),
    Type.Literal('medium'),
    Type.Literal('high'),
    Type.Literal('critical'),
  ]),
)
export const Resolution = named(
  'Resolution',
  Type.Union([
    Type.Literal('handled'),
    Type.Literal('fixed'),
    Type.Literal('mitigated'),
    Type.Literal('suspended'),
    Type.Literal('notified'),
    Type.Literal('quiet'),
  ]),
)
/** The values that a caller may send; a merged case shows `merged`. */
export const CloseReason = named(
  'CloseReason',
  Type.Union([
    Type.Literal('not_ours'),
    Type.Literal('insufficient_evidence'),
    Type.Literal('false_positive'),
    Type.Literal('duplicate'),
    Type.Literal('ignored_by_policy'),
    Type.Literal('no_customer'),
    Type.Literal('expired'),
  ]),
)

export const WaitingOn = named(
  'WaitingOn',
  Type.Union(
    [
      Type.Literal('none'),
      Type.Literal('agent'),
      Type.Literal('customer'),
      Type.Literal('reporter'),
      Type.Literal('third_party'),
      Type.Literal('timer'),
    ],
    {
      description:
        'Whose turn it is; `none` after the end of the case. Nodes of playbooks at which a run waits set it, and take it back when the run goes on; a failed run sets agent.',
    },
  ),
)
export const CustomerStatus = named(
  'CustomerStatus',
  Type.Union(
    [
      Type.Literal('unnotified'),
      Type.Literal('notified'),
      Type.Literal('seen'),
      Type.Literal('claims_fixed'),
      Type.Literal('disputed'),
      Type.Literal('bounced'),
    ],
    { description: 'Contact with the customer; never back to `unnotified`.' },
  ),
)
export const LawClock = named(
  'LawClock',
  Type.Union([
    Type.Literal('receipt'),
    Type.Literal('authority_notice'),
    Type.Literal('early_warning'),
    Type.Literal('incident_notification'),
    Type.Literal('final_report'),
  ]),
)
/** Tenants choose their own tags. */
export const CaseTag = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\s,]+$' })
export const CaseTags = Type.Array(CaseTag, { maxItems: 100, uniqueItems: true })
const CaseDeadline = named(
  'CaseDeadline',
  Type.Object({
    kind: Type.Union([Type.Literal('agreed'), ...LawClock.anyOf], {
      description:
        'agreed: `deadline_at`. The others only where the tenant has switched them on (`legal_deadlines`). dsa: receipt, 24 hours while open; authority_notice, 24 hours with ChildAbuse events. nis2: early_warning, incident_notification, final_report, 24 hours, 72 hours, one month, for severity high or critical or CVE events.',
    }),
    due_at: Type.String({ format: 'date-time' }),
    met: Type.Boolean(),
  }),
)

/** Beside `assignee_user_id`, wherever that is shown. */
export const AssigneeName = Type.Optional(
  Type.String({
    description:
      'The name of that user or group; `former user` of a person who has left the tenant, `deleted group` of a group that is gone, absent for another text.',
  }),
)
export const Metadata = Type.Object({}, { additionalProperties: true })

export const CaseDetail = named(
  'CaseDetail',
  Type.Object({
    ...CASE_SUMMARY_MEMBERS,
    version: Type.Integer({ description: 'Raised by each change; send it with PATCH.' }),
    case_group: Type.String(),
    event_count: Type.Integer(),
    event_types: Type.Array(Type.String()),
    event_ips: Type.Array(Type.String(), { description: 'The first hundred.' }),
    event_reporters: Type.Array(Type.String(), { description: 'The first hundred.' }),
    event_tags: Type.Array(Type.String(), { description: 'The first hundred.' }),
    updated_at: Type.String({ format: 'date-time' }),
    reopen_count: Type.Integer(),
    resolution: Type.Optional(Resolution),
    close_reason: Type.Optional(Type.Union([...CloseReason.anyOf, Type.Literal('merged')])),
    resolved_at: Type.Optional(Type.String({ format: 'date-time' })),
    ended_at: Type.Optional(Type.String({ format: 'date-time' })),
    linked_case_id: Type.Optional(
      Type.String({ description: 'The earlier case of the customer that it follows.' }),
    ),
    sealed_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it stopped taking events: too old or too quiet for its group.',
      }),
    ),
    severity: Type.Optional(Severity),
    assignee_user_id: Type.Optional(Type.String()),
    assignee_name: AssigneeName,
    metadata: Metadata,
    waiting_on: WaitingOn,
    customer_status: CustomerStatus,
    tags: Type.Array(Type.String(), {
      description: 'Of the case; `event_tags` are of its events.',
    }),
    aware_at: Type.String({
      format: 'date-time',
      description: 'Start of the legal deadlines: `created_at`, unless changed.',
    }),
    deadline_at: Type.Optional(Type.String({ format: 'date-time', description: 'As agreed.' })),
    due_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'The earliest deadline that is not met.' }),
    ),
    deadlines: Type.Array(CaseDeadline, { description: 'In order of time.' }),
    merged_into: Type.Optional(Type.String({ description: 'The case that it was merged into.' })),
    legal_hold: Type.Boolean({
      description:
        'True when a legal hold protects it: its own, or of a case that it is merged with.',
    }),
    playbook_id: Type.Optional(Type.String()),
    playbook_version: Type.Optional(Type.Integer()),
    playbook_step: Type.Optional(
      Type.String({
        description: 'The node at which its run is, or at which the last run stopped.',
      }),
    ),
    playbook_state: Type.Optional(
      Type.Union(
        [
          Type.Literal('active'),
          Type.Literal('paused'),
          Type.Literal('ended'),
          Type.Literal('failed'),
          Type.Literal('cancelled'),
        ],
        { description: 'Of that run.' },
      ),
    ),
    /** The nodes at which the playbook waits to be triggered. */
    waiting: Type.Array(WaitingTrigger),
  }),
)

interface ShownCase extends CaseProgress {
  readonly assigneeName: string | null
}

export function presentCaseDetail(
  row: CaseRow,
  deadlines: readonly Deadline[],
  { position, waiting, isOnLegalHold, assigneeName }: ShownCase,
): Static<typeof CaseDetail> {
  return omitNulls<Static<typeof CaseDetail>>({
    ...presentCase({ tenantId: row.tenant_id }, row),
    contract_id: row.contract_id,
    version: row.version,
    case_group: row.case_group_id,
    event_count: row.event_count,
    event_types: row.event_types,
    event_ips: row.event_ips,
    event_reporters: row.event_reporters,
    event_tags: row.event_tags,
    updated_at: row.updated_at.toISOString(),
    reopen_count: row.reopen_count,
    resolution: row.resolution,
    close_reason: row.close_reason,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    linked_case_id: row.linked_case_id,
    sealed_at: row.sealed_at?.toISOString() ?? null,
    severity: row.severity,
    assignee_user_id: row.assignee_user_id,
    assignee_name: assigneeName,
    metadata: row.metadata,
    waiting_on: row.waiting_on,
    customer_status: row.customer_status,
    tags: row.tags,
    aware_at: (row.aware_at ?? row.created_at).toISOString(),
    deadline_at: row.deadline_at?.toISOString() ?? null,
    due_at: row.due_at?.toISOString() ?? null,
    deadlines: deadlines.map(presentDeadline),
    merged_into: row.merged_into,
    legal_hold: isOnLegalHold,
    playbook_id: position?.playbookId ?? null,
    playbook_version: position?.version ?? null,
    playbook_step: position?.step ?? null,
    playbook_state: position?.state ?? null,
    waiting: waiting.map(presentWaitingNode),
  })
}

function presentDeadline({ kind, dueAt, isMet }: Deadline): Static<typeof CaseDeadline> {
  return { kind, due_at: dueAt.toISOString(), met: isMet }
}
