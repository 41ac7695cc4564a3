// What merging and splitting cases needs of other features: events that move between cases, runs
// that end, legal holds that follow the events. The app hands in the functions.

import type { Db, Tx } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { ChangeOrigin } from '../case-history-store.ts'

export interface MergeDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly eventMoves: EventMoves
  readonly endRuns: EndRuns
  readonly legalHolds: LegalHoldExtension
}

/** The events that a split takes out of a case. */
export type SplitChoice =
  | { readonly eventIds: readonly string[] }
  | {
      readonly ip?: string
      readonly domain?: string
      readonly eventType?: string
      readonly after?: string
      readonly before?: string
    }

/** The caller has locked both cases and bounded the number of events. */
export interface EventMoves {
  /**
   * Moves all events of the source into the target. They become resolved as the events there are:
   * up to `resolvedAt`, or not at all. Each event remembers its first case and whether it was
   * resolved. Returns their number.
   */
  readonly moveIn: (
    tx: Tx,
    scope: TenantScope,
    sourceId: string,
    target: { readonly id: string; readonly resolvedAt: Date | null },
  ) => Promise<number>
  /**
   * Moves the events of a merge back: those whose first case is one of `originIds`, which are the
   * source and the cases that were merged into it before. Returns their number.
   */
  readonly moveBack: (
    tx: Tx,
    scope: TenantScope,
    targetId: string,
    source: { readonly id: string; readonly resolvedAt: Date | null },
    originIds: readonly string[],
  ) => Promise<number>
  /**
   * Moves the chosen events into a new case for good: an unmerge does not move them back, and none
   * of them is resolved. Returns their number.
   */
  readonly moveChosen: (
    tx: Tx,
    scope: TenantScope,
    fromId: string,
    toId: string,
    choice: SplitChoice,
  ) => Promise<number>
  readonly countChosen: (
    tx: Tx,
    scope: TenantScope,
    caseId: string,
    choice: SplitChoice,
  ) => Promise<number>
}

export interface EndedRun {
  readonly runId: string
  readonly caseId: string
  readonly node: string
}

interface EndedRuns {
  readonly runs: readonly EndedRun[]
  /** Their mails that still wait do not go out. Called when the cases are locked. */
  readonly takeMailBack: () => Promise<void>
}

/**
 * Ends the active runs of these cases, at whatever node they are. Called before keys and cases are
 * locked, because playbook workers lock runs first.
 */
export type EndRuns = (tx: Tx, scope: TenantScope, caseIds: readonly string[]) => Promise<EndedRuns>

export interface LegalHoldExtension {
  /**
   * Before any other lock: waits for an erasure or retention that runs, if there are legal holds.
   */
  readonly prepare: (tx: Tx, scope: TenantScope) => Promise<void>
  /** After events left `from` for the cases `to`: puts a legal hold on them if `from` has one. */
  readonly extend: (
    tx: Tx,
    ids: IdSource,
    scope: TenantScope,
    move: {
      readonly from: string
      readonly to: readonly string[]
      readonly origin: ChangeOrigin
    },
  ) => Promise<void>
}
