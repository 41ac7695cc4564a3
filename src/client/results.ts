// The answers of the threat-intelligence endpoints, as types for callers of the interface.

export type { ExplanationResult as Explanation } from '../intel/lookup/explanation-wire.ts'
export type { LookupResult } from '../intel/lookup/lookup-result-wire.ts'
export type { QuickCheckItem, UnreadItem } from '../intel/lookup/quick-check-wire.ts'
