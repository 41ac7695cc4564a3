// A change in casework: what happened to a case, an event, a report or a run, and who did it.

import type { TenantScope } from '../../vocabulary/caller.ts'

export type ChangeKind = 'case' | 'event' | 'report' | 'run'

export interface Change extends TenantScope {
  readonly id: number
  readonly kind: ChangeKind
  /** The kind of the entry in a case's history, `stored` of an event, `failed` of a run … */
  readonly what: string
  /** The id of the case, event, report or run. */
  readonly subjectId: string
  readonly caseId: string | null
  readonly actorKind: string
  readonly actor: string
  /** A request id, or `run:token:visit` of the playbook step that made the change. */
  readonly causeId: string | null
  /**
   * Of a case: `from_state`, `to_state`, `reason` and `changes`, as its history has them. Of a run:
   * `playbook_id`, `version`, and `node`, `waits_for` and `failure` where there are some.
   */
  readonly data: Readonly<Record<string, unknown>> | null
  readonly at: Date
}
