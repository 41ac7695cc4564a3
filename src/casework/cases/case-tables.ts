// The tables of cases as Kysely sees them (migrations 0003 and 0010): the case, the open case of a
// key and the history.

import type { ColumnType, GeneratedAlways, Selectable } from 'kysely'
import type { CaseState, CloseReason, Resolution } from './case-state.ts'

export type Severity = 'low' | 'medium' | 'high' | 'critical'
/** Whose turn it is. */
export type WaitingOn = 'none' | 'agent' | 'customer' | 'reporter' | 'third_party' | 'timer'
/** What the customer knows and says. */
export type CustomerStatus =
  | 'unnotified'
  | 'notified'
  | 'seen'
  | 'claims_fixed'
  | 'disputed'
  | 'bounced'

export interface CaseTables {
  abuse_case: {
    tenant_id: string
    id: string
    case_group_id: string
    key_hash: Buffer
    state: CaseState
    version: number
    created_at: Date
    updated_at: Date
    customer_id: string
    contract_id: string | null
    first_event_date: Date
    last_event_date: Date
    event_count: number
    event_types: string[]
    event_ips: string[]
    event_reporters: string[]
    event_tags: string[]
    resolution: Resolution | null
    close_reason: CloseReason | null
    resolved_at: Date | null
    ended_at: Date | null
    reopen_count: number
    severity: Severity | null
    assignee_user_id: string | null
    // Written as JSON text, read as what it holds.
    metadata: ColumnType<Record<string, unknown>, string, string>
    linked_case_id: string | null
    waiting_on: WaitingOn
    customer_status: CustomerStatus
    tags: string[]
    aware_at: Date | null
    deadline_at: Date | null
    deadlines_met: string[]
    merged_into: string | null
    sealed_at: Date | null
    due_at: GeneratedAlways<Date | null>
  }
  case_slot: { tenant_id: string; case_group_id: string; key_hash: Buffer; case_id: string }
  case_history: {
    tenant_id: string
    case_id: string
    id: string
    at: Date
    kind: HistoryKind
    actor_kind: ActorKind
    actor: string
    from_state: CaseState | null
    to_state: CaseState | null
    reason: string | null
    cause_id: string | null
    changes: ColumnType<Record<string, unknown> | null, string | null, string | null>
  }
}

export type CaseRow = Selectable<CaseTables['abuse_case']>

/**
 * `late_event`: an event came for a case that was resolved already. `change`: severity, assignee or
 * metadata. `trigger`: somebody chose how its playbook goes on. `run_failed`: its playbook stopped
 * and needs a person. `run_ended`: its playbook had nothing left to do, since the case had ended or
 * was merged. `merge`, `unmerge`: of the case that moved, with its states, and of the one it was
 * moved to, without. `split`: some of its events became a case of their own. `seal`: it takes no
 * more events, since another case follows it. `repair`: a recount found it different from what lies
 * behind it. `hold`, `lift_hold`: a legal hold keeps it from being removed and erased, or no longer
 * does.
 */
export type HistoryKind =
  | 'open'
  | 'move'
  | 'change'
  | 'comment'
  | 'late_event'
  | 'reassign'
  | 'trigger'
  | 'run_failed'
  | 'run_ended'
  | 'merge'
  | 'unmerge'
  | 'split'
  | 'seal'
  | 'repair'
  | 'retention'
  | 'hold'
  | 'lift_hold'
type ActorKind = 'token' | 'run' | 'system'

/** Who changes a case, as its history tells it. */
export interface Actor {
  readonly kind: ActorKind
  /** A token's public id, or `<run id>:<node id>`. */
  readonly id: string
  /** What a person reads beside a comment: the token's name, or that of the playbook. */
  readonly name: string
}
