// The frame of a list that is read page by page (use-list-pages.ts): its failure, the rows that came
// since, the table, and the failure of the next page below it.

import type { ReactNode } from 'react'
import { NewRows } from './notes.tsx'
import { Problem } from './problem.tsx'

export interface ListFrameProps {
  readonly list: {
    readonly rows: readonly unknown[]
    readonly error: unknown
    readonly isFetchNextPageError: boolean
    readonly refetch: () => unknown
    readonly fetchNextPage: () => unknown
    readonly reload: () => unknown
    readonly loadedAtMs: number
  }
  /** Of `useNewCount`; left out for a list whose changes the stream does not name. */
  readonly newCount?: number
  /** The table. */
  readonly children: ReactNode
}

export function ListFrame({ list, newCount, children }: ListFrameProps) {
  if (list.error !== null && list.rows.length === 0) {
    return <ListProblem error={list.error} onRetry={() => void list.refetch()} />
  }
  return (
    <>
      {newCount !== undefined && (
        <NewRows count={newCount} loadedAtMs={list.loadedAtMs} onLoad={() => void list.reload()} />
      )}
      {children}
      {list.isFetchNextPageError && (
        <ListProblem error={list.error} onRetry={() => void list.fetchNextPage()} />
      )}
    </>
  )
}

function ListProblem(props: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <div className="list-problem">
      <Problem {...props} />
    </div>
  )
}
