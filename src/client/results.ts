// The answers of the threat-intelligence endpoints, as types for callers of the interface.

import type { Schemas } from './schema.ts'

export type Explanation = Schemas['Explanation']
export type LookupResult = Schemas['LookupResult']
export type QuickCheckItem = Schemas['QuickCheckItem']
export type UnreadItem = Schemas['UnreadItem']
