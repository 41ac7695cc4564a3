// What the threat-intelligence endpoints answer, as types for callers of the interface.

export type { Explanation } from '../contract/explanation.ts'
export type { LookupResult } from '../contract/lookup-result.ts'
export type { QuickCheckItem } from '../contract/quick-check-item.ts'
