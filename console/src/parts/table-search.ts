// The state of a table as it stands in a URL: `?sort=-due&hide=owner&open=C-1`.

import { readText, readTexts } from '../search-params.ts'
import type { Sort } from './data-table.tsx'

export interface TableSearch {
  readonly sort?: string | undefined
  readonly hide?: readonly string[] | undefined
  /** The id of the record whose panel is open. */
  readonly open?: string | undefined
}

/** For `validateSearch` of a route, beside the filters of the page. */
export function readTableSearch(search: Readonly<Record<string, unknown>>): TableSearch {
  const hide = readTexts(search, 'hide')
  return {
    sort: readText(search, 'sort'),
    hide: hide.length === 0 ? undefined : hide,
    open: readText(search, 'open'),
  }
}

/** `-due` is "by due, the latest first". */
export function readSort(text: string | undefined): Sort | undefined {
  if (text === undefined) return undefined
  const isDescending = text.startsWith('-')
  return { by: isDescending ? text.slice(1) : text, isDescending }
}

export function writeSort({ by, isDescending }: Sort): string {
  return isDescending ? `-${by}` : by
}
