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
  /** Triggers are taken here while the run is elsewhere, too. */
  readonly isAnytime: boolean
  /** When the node is left by itself; null for never. */
  readonly timeoutAt: Date | null
  /** Until when somebody should choose; null where the node names no time. */
  readonly deadlineAt: Date | null
  /** What is to be decided, for people. */
  readonly question: string | null
  /** By path, for people. */
  readonly titles: Readonly<Record<string, string>>
  readonly role: string | null
  /** Two different callers must choose the same. */
  readonly isFourEyes: boolean
  /** The first of two decisions; null while there is none. */
  readonly first: FirstChoice | null
  readonly form: readonly FormFieldView[]
}

interface FirstChoice {
  readonly path: string
  /** `token:<id>`. */
  readonly by: string
  readonly at: string
  readonly form: Readonly<Record<string, unknown>>
}

interface FormFieldView {
  readonly name: string
  readonly type: string
  readonly label: string
  /** The paths that need it. */
  readonly requiredFor: readonly string[]
  readonly options: readonly { readonly value: string; readonly label: string }[]
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
