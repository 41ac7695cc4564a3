// What stands in the URL of a section: the open panel, its tab, and the filters of the audit log.

import { readTableSearch, type TableSearch } from '../../parts/table-search.ts'
import { readText } from '../../search-params.ts'

const NAMES = [
  'tab',
  'who',
  'act',
  'kind',
  'object',
  'after',
  'before',
  'state',
  'delivery',
  'raw',
  'event',
  'case',
  'audit',
] as const

export type AdminSearch = TableSearch & {
  readonly [Name in (typeof NAMES)[number]]?: string | undefined
}

export function readAdminSearch(search: Readonly<Record<string, unknown>>): AdminSearch {
  return {
    ...readTableSearch(search),
    ...Object.fromEntries(NAMES.map((name) => [name, readText(search, name)])),
  }
}
