// Every call of another system that the run has made.

import { CircleAlert, CircleCheck, CircleDashed, RotateCw } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Since } from '../../parts/since.tsx'
import type { RunDetail } from '../runs/data.ts'
import { messages } from '../runs/messages.ts'

const LOOKS = {
  done: ['green', CircleCheck],
  refused: ['red', CircleAlert],
  over: ['grey', CircleCheck],
  retry: ['amber', RotateCw],
  interrupted: ['amber', CircleAlert],
  open: ['violet', CircleDashed],
} as const

export function Attempts({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  return (
    <section aria-label={t('attempts')} className="stack">
      <h2 className="section-title">{t('attempts')}</h2>
      {run.attempts.length === 0 && <p className="dim">{t('attempts_none')}</p>}
      {run.attempts.map(({ token, visit, node, attempt, started_at: at, detail, ...rest }) => {
        const outcome: keyof typeof LOOKS = rest.outcome ?? 'open'
        const [tone, icon] = LOOKS[outcome]
        return (
          <div key={`${token} ${visit} ${attempt}`}>
            <div className="row-of">
              <Badge tone={tone} icon={icon}>
                {t(`outcome_${outcome}`)}
              </Badge>
              <span className="cut">{t('attempt', { node, attempt })}</span>
              <span className="dim small">
                <Since at={at} />
              </span>
            </div>
            {detail !== undefined && (
              <details className="visit-more">
                <summary>{t('detail')}</summary>
                <JsonView value={detail} label={t('attempt_detail', { node, attempt })} />
              </details>
            )}
          </div>
        )
      })}
    </section>
  )
}
