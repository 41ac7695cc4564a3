// The types of the interface that the pages of cases speak of.

import type { Paths, Schemas } from 'casework/client'

export type ListedCase = Schemas['Case']
export type CaseDetail = Schemas['ExpandedCase']
export type CaseChange = Schemas['BulkChange']
export type BulkResult = Schemas['BulkResult']
export type SavedView = Schemas['SavedView']
export type CaseQuery = NonNullable<
  Paths['/beta/casework/cases/counts']['get']['parameters']['query']
>
