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
  /** The node at which the run is, ended or failed. */
  readonly step: string
  /** Of the run. */
  readonly state: 'active' | 'paused' | 'ended' | 'failed' | 'cancelled'
}

export interface CaseProgress {
  /** Of the run that is active, or else of the last one; null when there was none. */
  readonly position: PlaybookPosition | null
  readonly waiting: readonly WaitingNode[]
  /** The hold is on the case itself, or on a case that it is merged with. */
  readonly isOnLegalHold: boolean
}

export type FindCaseProgress = (scope: TenantScope, caseId: string) => Promise<CaseProgress>
