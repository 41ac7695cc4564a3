// What became of the report, in a sentence, with the rule and the words that decided.

import { useText } from '../../messages/use-text.ts'
import { ServerReasons } from '../../parts/server-reasons.tsx'
import { ReportStateBadge } from '../reports/report-state-badge.tsx'
import type { ReportDetail, ReportReading } from './data.ts'
import { messages } from './messages.ts'

export interface VerdictProps {
  readonly report: ReportDetail
  readonly reading: ReportReading | undefined
}

export function Verdict({ report, reading }: VerdictProps) {
  const t = useText(messages)
  const decider = reading?.decided_by
  const { state, reason, event_count: count, format = '–' } = report
  return (
    <div className="verdict">
      <div className="row-of">
        <ReportStateBadge report={report} />
        {state === 'accepted' && <span>{t('verdict_accepted', { count, format })}</span>}
      </div>
      {reason !== undefined && (
        <p className="verdict-reason">
          <ServerReasons reasons={[reason]} />
        </p>
      )}
      {decider?.rule !== undefined && (
        <p className="dim small verdict-reason">
          {t('decided_by')} <span className="mono">{decider.rule}</span>
          {decider.words !== undefined && (
            <>
              {' · '}
              {t('by_words', { words: decider.words })}
            </>
          )}
        </p>
      )}
      {reading !== undefined && state !== 'accepted' && reading.verdict === 'report' && (
        <p className="note" data-tone="blue">
          <span>{t('reads_now', { count: reading.events.length })}</span>
        </p>
      )}
      {report.problems !== undefined && (
        <ul className="problems small">
          {report.problems.map(({ path, reason: why }) => (
            <li key={`${path} ${why}`}>
              <span className="mono">{path}</span> <ServerReasons reasons={[why]} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
