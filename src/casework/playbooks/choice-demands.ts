// What a waiting node asks of those who choose its path: a role, a form, a second person. The same
// for every kind with `choices`: a trigger says words only, nodes/manual.ts reads the rest.

import type { RoleName } from '../../vocabulary/scopes.ts'
import type { FormField, FormValues } from './choice-form.ts'

export interface ChoiceDemands {
  /** The caller needs every scope of it; null for any caller that may trigger. */
  readonly role: RoleName | null
  /** Two different callers choose the same path. */
  readonly isFourEyes: boolean
  readonly form: readonly FormField[]
  /** For people, by path. */
  readonly titles: Readonly<Record<string, string>>
  /** What is to be decided, for people; null when nothing is said. */
  readonly question: string | null
}

export const NO_DEMANDS: ChoiceDemands = {
  role: null,
  isFourEyes: false,
  form: [],
  titles: {},
  question: null,
}

/** The first of two decisions. */
export interface FirstDecision {
  readonly path: string
  /** `token:<id>`. */
  readonly by: string
  readonly at: string
  readonly form: FormValues
}

/** The memo of a visit that waits for a choice (column run_token.memo). */
export interface ChoiceMemo {
  /** Of the choice that was accepted. */
  readonly form?: FormValues
  /** Waits for a second person. After the choice: who decided first. */
  readonly first?: FirstDecision
  /** Until when somebody should have chosen. */
  readonly deadline_at?: string
  /** When the wait ends by itself, where its timer may be of the deadline. */
  readonly timeout_at?: string | null
  /** The timer that is set is of the deadline, and the node is not left when it rings. */
  readonly timer?: 'deadline' | 'timeout'
}

/** The memo as this program has written it. */
export function readChoiceMemo(memo: object | null): ChoiceMemo {
  return memo ?? {}
}
