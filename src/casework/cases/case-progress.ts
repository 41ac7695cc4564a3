// The part of a case page that other features know: the playbook that works the case, and whether a
// legal hold protects it. The app hands it in as a function.

import type { TenantScope } from '../../vocabulary/caller.ts'

/** A node at which a run of the case waits to be triggered. */
export interface WaitingNode {
  readonly runId: string
  readonly playbookId: string
  readonly version: number
  readonly node: string
  /** The ways out, in the author's order. */
  readonly paths: readonly string[]
  readonly since: Date
}

export interface PlaybookPosition {
  readonly playbookId: string
  readonly version: number
  /** The node at which the case is: it waits there, or is about to leave it. */
  readonly step: string
}

export interface CaseProgress {
  /** Null when no playbook runs. */
  readonly position: PlaybookPosition | null
  readonly waiting: readonly WaitingNode[]
  /** The hold is on the case itself, or on a case that it is merged with. */
  readonly isOnLegalHold: boolean
}

export type FindCaseProgress = (scope: TenantScope, caseId: string) => Promise<CaseProgress>
