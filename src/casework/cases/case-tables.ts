// The tables of cases as Kysely sees them (migrations 0003 and 0010): the case, the open case of a
// key and the history.

import type { ColumnType, GeneratedAlways, Selectable } from 'kysely'
import type { CaseState, CloseReason, Resolution } from './case-state.ts'

export type Severity = 'low' | 'medium' | 'high' | 'critical'
/** Whose turn it is. */
export type WaitingOn = 'none' | 'agent' | 'customer' | 'reporter' | 'third_party' | 'timer'
/** The contact with the customer. */
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
    // Written as JSON text, read as an object.
    metadata: ColumnType<Record<string, unknown>, string, string>
    linked_case_id: string | null
    waiting_on: WaitingOn
    run_waits_for: WaitingOn | null
    customer_status: CustomerStatus
    tags: string[]
    aware_at: Date | null
    deadline_at: Date | null
    deadlines_met: string[]
    merged_into: string | null
    sealed_at: Date | null
    laws: string[]
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
 * The kinds whose names do not explain themselves:
 * - `late_event`: an event came for a case that was resolved already.
 * - `relapse_event`: an event from after its end joined a case, which stays ended.
 * - `change`: a member beside the state changed, such as severity, assignee or metadata.
 * - `trigger`: a caller chose the path by which the playbook goes on.
 * - `run_failed`: the playbook stopped and needs a person.
 * - `run_ended`: the playbook ended early, because the case had ended or was merged.
 * - `run_overdue`: a node of a run was not left until its deadline.
 * - `run_cancelled`, `run_paused`, `run_resumed`: a person stopped a run, or let it go on.
 * - `run_migrated`: a person put a run on another version of its playbook.
 * - `merge`, `unmerge`: on the case that moved, with its states; on the other case, without.
 * - `split`: some events became a new case.
 * - `seal`: the case takes no more events, because another case follows it.
 * - `repair`: `casework doctor` repaired differences that a recount had found.
 * - `correct`: a report was corrected; events of it left or joined the case, or changed in it.
 * - `notice`: a notice about the case was made, or its state changed.
 * - `mitigation`: a mitigation of the case was asked for, or its state changed.
 * - `hold`, `lift_hold`: the case was put on legal hold, or the legal hold was lifted.
 */
export type HistoryKind =
  | 'open'
  | 'move'
  | 'change'
  | 'comment'
  | 'notice'
  | 'mitigation'
  | 'late_event'
  | 'relapse_event'
  | 'reassign'
  | 'correct'
  | 'trigger'
  | 'run_failed'
  | 'run_ended'
  | 'run_cancelled'
  | 'run_overdue'
  | 'run_paused'
  | 'run_resumed'
  | 'run_migrated'
  | 'merge'
  | 'unmerge'
  | 'split'
  | 'seal'
  | 'repair'
  | 'retention'
  | 'hold'
  | 'lift_hold'
type ActorKind = 'token' | 'run' | 'system'

/** Who changes a case, as its history shows it. */
export interface Actor {
  readonly kind: ActorKind
  /** A token's public id, or `<run id>:<node id>`. */
  readonly id: string
  /** The author of a comment as people read it: the name of the token or playbook. */
  readonly name: string
}
