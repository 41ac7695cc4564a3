// The reports that brought the events: where a wrong reading is corrected.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { FirstOnly } from '../../parts/first-only.tsx'
import { Since } from '../../parts/since.tsx'
import { reportsQuery } from './data.ts'
import { messages } from './messages.ts'
import { PanelSection } from './panel-section.tsx'

const SHOWN_MAX = 5

export function ReportsPanel({ caseId }: { readonly caseId: string }) {
  const t = useText(messages)
  const maySee = useMay('events:read')
  const query = useQuery({ ...reportsQuery(caseId), enabled: maySee })
  const reports = query.data?.items ?? []
  const isWhole = (query.data?.next_cursor ?? '') === ''
  if (!maySee) return null
  return (
    <PanelSection title={t('evidence')} query={query}>
      {reports.length === 0 && <p className="dim side-none">{t('no_reports')}</p>}
      <ul className="case-rows">
        {reports.slice(0, SHOWN_MAX).map((one) => {
          const path: string = `/reports/${encodeURIComponent(one.report_id)}`
          return (
            <li key={one.report_id}>
              <Link to={path} className="case-row">
                <span className="cut case-row-what">
                  {one.format ?? one.media_type} · {t('event_count', { count: one.event_count })}
                </span>
                <span className="dim small case-row-at">
                  <Since at={one.received_at} isShort />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      {isWhole && reports.length > SHOWN_MAX && (
        <p className="dim small side-none">
          {t('and_more', { count: reports.length - SHOWN_MAX })}
        </p>
      )}
      <FirstOnly count={SHOWN_MAX} isCut={!isWhole} />
      {reports.length > 0 && <p className="dim small side-none">{t('correct_hint')}</p>}
    </PanelSection>
  )
}
