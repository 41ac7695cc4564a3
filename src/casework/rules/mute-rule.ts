// Mute rules: an event that matches one is stored and marked, and joins no case.

import type { KeyField } from './correlation-key.ts'

/** The values that key fields must have, as `readKeyField` gives them. */
export type KeyMatch = Readonly<Partial<Record<KeyField, string>>>

/** The part of a rule that correlation needs. */
export interface MuteRule {
  readonly id: string
  /** CEL over one event; null where `keyMatch` decides. */
  readonly condition: string | null
  readonly keyMatch: KeyMatch | null
  readonly untilMs: number
}
