// A part at the side of the page, with its states: on its way, failed, or there.

import type { ReactNode } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'

export interface PanelSectionProps {
  readonly title: string
  readonly acts?: ReactNode
  readonly query: {
    readonly error: unknown
    readonly isLoading: boolean
    readonly refetch: () => unknown
  }
  readonly children: ReactNode
}

export function PanelSection({ title, acts, query, children }: PanelSectionProps) {
  return (
    <section className="side-section" aria-label={title}>
      <div className="side-head">
        <h2 className="section-title">{title}</h2>
        {acts}
      </div>
      {query.error !== null && <Problem error={query.error} onRetry={() => query.refetch()} />}
      {query.isLoading && <Loading lines={3} />}
      {query.error === null && !query.isLoading && children}
    </section>
  )
}
