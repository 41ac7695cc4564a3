// The states of a case: which state may follow which, the details that a move needs, and its effect
// on the correlation key and on the events.
//
//   NEW ──► IN_PROGRESS ──► RESOLVED ──► CLOSED
//    │          │  ▲            │  ▲        │
//    └──────────┴──┼────────────┘  └────────┤
//                  └────────────────────────┘
//
// NEW may also go straight to RESOLVED or CLOSED. Both ended states can go back to IN_PROGRESS.
// Nothing goes back to NEW.

export const CASE_STATES = ['NEW', 'IN_PROGRESS', 'RESOLVED', 'CLOSED'] as const
export type CaseState = (typeof CASE_STATES)[number]

/** No move leads to NEW, which means that no person has looked at the case yet. */
export const NEXT_STATES = {
  NEW: ['IN_PROGRESS', 'RESOLVED', 'CLOSED'],
  IN_PROGRESS: ['RESOLVED', 'CLOSED'],
  RESOLVED: ['IN_PROGRESS', 'CLOSED'],
  CLOSED: ['IN_PROGRESS', 'RESOLVED'],
} as const satisfies Record<CaseState, readonly CaseState[]>

/** Why a case ended well. `handled` gives no detail; it is the default of a Resolve node. */
export const RESOLUTIONS = [
  'handled',
  'fixed',
  'mitigated',
  'suspended',
  'notified',
  'quiet',
] as const
export type Resolution = (typeof RESOLUTIONS)[number]
export const DEFAULT_RESOLUTION: Resolution = 'handled'

/** Why a case was closed. Only a merge sets `merged`; callers cannot send it. */
export const CLOSE_REASONS = [
  'not_ours',
  'insufficient_evidence',
  'false_positive',
  'duplicate',
  'merged',
  'ignored_by_policy',
  'no_customer',
  'expired',
] as const
export type CloseReason = (typeof CLOSE_REASONS)[number]

/**
 * Which events of the case become `resolved: true` with a move. No move ever makes one false again.
 */
type ResolvesEvents = 'none' | 'dated_until_move' | 'all'

export interface MoveDetails {
  readonly resolution?: Resolution
  readonly closeReason?: CloseReason
  /** True when the case was CLOSED by a merge: it comes back by unmerge only. */
  readonly isMerged: boolean
  /** False when the caller must not reopen an ended case; true when left out. */
  readonly mayReopen?: boolean
}

export interface CaseMove {
  readonly kind: 'move'
  readonly from: CaseState
  readonly to: CaseState
  /** Set exactly when `to` is RESOLVED. */
  readonly resolution: Resolution | null
  /** Set exactly when `to` is CLOSED. */
  readonly closeReason: CloseReason | null
  /** True when an ended case is worked again: `reopen_count` goes up by one. */
  readonly isReopening: boolean
  /**
   * Each correlation key has at most one open case. A case that ends releases its key; a reopened
   * case has to claim it, and fails when the key has another open case.
   */
  readonly key: 'keep' | 'release' | 'claim'
  readonly resolvesEvents: ResolvesEvents
}

export type IllegalMove = 'not_a_next_state' | 'case_is_merged' | 'case_has_ended'

export type MoveDecision =
  | CaseMove
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'illegal'; readonly reason: IllegalMove }
  /** The move is allowed, but the request lacks a detail that it needs. */
  | { readonly kind: 'incomplete'; readonly missing: 'resolution' | 'close_reason' }

/** Decides a move. A move to the present state changes nothing and needs no history row. */
export function decideMove(
  current: CaseState,
  target: CaseState,
  details: MoveDetails,
): MoveDecision {
  if (current === target) return { kind: 'unchanged' }
  if (!canMove(current, target)) return { kind: 'illegal', reason: 'not_a_next_state' }
  if (current === 'CLOSED' && details.isMerged) return { kind: 'illegal', reason: 'case_is_merged' }
  const isReopening = !isOpenState(current) && isOpenState(target)
  if (isReopening && details.mayReopen === false) {
    return { kind: 'illegal', reason: 'case_has_ended' }
  }
  const resolution = target === 'RESOLVED' ? (details.resolution ?? null) : null
  if (target === 'RESOLVED' && resolution === null) {
    return { kind: 'incomplete', missing: 'resolution' }
  }
  const closeReason = target === 'CLOSED' ? (details.closeReason ?? null) : null
  if (target === 'CLOSED' && closeReason === null) {
    return { kind: 'incomplete', missing: 'close_reason' }
  }
  return {
    kind: 'move',
    from: current,
    to: target,
    resolution,
    closeReason,
    isReopening,
    key: decideKey(current, target),
    resolvesEvents: decideResolvedEvents(target, closeReason),
  }
}

/** An open case takes new events; RESOLVED and CLOSED are ended. */
export function isOpenState(state: CaseState): boolean {
  return state === 'NEW' || state === 'IN_PROGRESS'
}

export function isCaseState(text: string): text is CaseState {
  return CASE_STATES.some((state) => state === text)
}

export function isResolution(text: string): text is Resolution {
  return RESOLUTIONS.some((resolution) => resolution === text)
}

export function isCloseReason(text: string): text is CloseReason {
  return CLOSE_REASONS.some((reason) => reason === text)
}

function canMove(current: CaseState, target: CaseState): boolean {
  const next: readonly CaseState[] = NEXT_STATES[current]
  return next.includes(target)
}

function decideKey(from: CaseState, to: CaseState): CaseMove['key'] {
  if (isOpenState(from) === isOpenState(to)) return 'keep'
  return isOpenState(to) ? 'claim' : 'release'
}

// RESOLVED resolves the events dated until then. CLOSED resolves none, except as a false positive:
// then no event was abuse, whatever its date.
function decideResolvedEvents(to: CaseState, closeReason: CloseReason | null): ResolvesEvents {
  if (to === 'RESOLVED') return 'dated_until_move'
  return closeReason === 'false_positive' ? 'all' : 'none'
}
