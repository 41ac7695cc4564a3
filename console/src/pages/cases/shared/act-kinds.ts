// The acts on cases that change members of them.

import type { CaseState } from '../../../parts/badges.tsx'
import type { CaseChange } from '../case-types.ts'

export type ActKind = 'assign' | 'state' | 'close' | 'severity' | 'tags' | 'comment'

/** What an act needs to know of a case. */
export interface ActCase {
  readonly id: string
  readonly state: CaseState
  readonly tags: readonly string[]
}

/** A choice that is complete: what is sent, and what is said of one case. */
export interface Draft {
  readonly change: CaseChange
  readonly reason?: string | undefined
  readonly said: string
  /** Of `assignee_user_id`. */
  readonly assigneeName?: string | undefined
}

export interface FieldsProps {
  readonly cases: readonly ActCase[]
  /** Null while something is missing. */
  readonly onDraft: (draft: Draft | null) => void
  /** A choice that is the whole act. */
  readonly onPick: (draft: Draft) => void
}

// The moves of the interface; none leads back to NEW.
const NEXT = {
  NEW: ['IN_PROGRESS', 'RESOLVED', 'CLOSED'],
  IN_PROGRESS: ['RESOLVED', 'CLOSED'],
  RESOLVED: ['IN_PROGRESS', 'CLOSED'],
  CLOSED: ['IN_PROGRESS', 'RESOLVED'],
} as const satisfies Record<CaseState, readonly CaseState[]>

export type TargetState = (typeof NEXT)[CaseState][number]

/** The states that at least one of the cases may take. */
export function findTargets(cases: readonly ActCase[]): readonly TargetState[] {
  return NEXT.NEW.filter((target) =>
    cases.some(({ state }) => NEXT[state].some((next) => next === target)),
  )
}

/** Under which a half-written comment is kept; the page of the case has it under the same key. */
export function nameCommentDraft(cases: readonly ActCase[]): string {
  const [one] = cases
  return cases.length === 1 && one !== undefined ? `comment ${one.id}` : 'comment many'
}

export const RESOLUTIONS = [
  'handled',
  'fixed',
  'mitigated',
  'suspended',
  'notified',
  'quiet',
] as const

export const CLOSE_REASONS = [
  'not_ours',
  'insufficient_evidence',
  'false_positive',
  'duplicate',
  'ignored_by_policy',
  'no_customer',
  'expired',
] as const
