// Playbook runs that failed and wait for a person.

import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { FirstPageOnly } from '../../parts/first-only.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { shortId } from '../../parts/short-id.ts'
import { Since } from '../../parts/since.tsx'
import { failedRunsQuery } from './data.ts'
import { messages } from './messages.ts'

export function FailedRuns() {
  const t = useText(messages)
  const { data, error, refetch } = useQuery(failedRunsQuery)
  return (
    <section className="overview-part" aria-label={t('runs')}>
      <h2 className="section-title">{t('runs')}</h2>
      {error !== null && data === undefined && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {error === null && data === undefined && <Loading lines={3} />}
      {data?.items.length === 0 && <p className="dim">{t('runs_none')}</p>}
      <ul className="overview-rows">
        {data?.items.map((run) => (
          <li key={run.run_id} className="overview-row">
            <div className="overview-row-words">
              <PathLink path={`/runs/${run.run_id}`} className="cut">
                {run.playbook_name} v{run.version}
              </PathLink>
              <PathLink path={`/cases/${run.case_id}`} className="dim small mono cut">
                {shortId(run.case_id)}
              </PathLink>
            </div>
            <Badge tone="red" icon={TriangleAlert}>
              {t('run_failed', { node: run.node ?? '–' })}
            </Badge>
            <span className="dim small">
              <Since at={run.since} />
            </span>
          </li>
        ))}
      </ul>
      <FirstPageOnly page={data} />
    </section>
  )
}
