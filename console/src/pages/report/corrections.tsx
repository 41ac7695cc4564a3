// What people corrected: each event before and after.

import { useText } from '../../messages/use-text.ts'
import { Since } from '../../parts/since.tsx'
import type { ReportDetail } from './data.ts'
import { messages } from './messages.ts'

type Corrections = NonNullable<ReportDetail['corrections']>
type Content = NonNullable<Corrections[number]['changes'][number]['before']>

export function Corrections({ corrections }: { readonly corrections: Corrections }) {
  const t = useText(messages)
  return (
    <section aria-label={t('corrections')} className="stack corrections">
      <h2 className="section-title">{t('corrections')}</h2>
      {corrections.map((one) => (
        <div key={one.id}>
          <div className="dim small">
            <Since at={one.at} />
            {one.former_state !== 'accepted' && ` · ${t('was_state', { state: one.former_state })}`}
          </div>
          {one.reason !== undefined && <div className="correction-reason">{one.reason}</div>}
          <ul className="changes">
            {one.changes.map(({ event_id: id, kind, before, after }) => (
              <li key={id}>
                <span className="dim">{t(`change_${kind}`)}</span>{' '}
                {before !== undefined && <del className="before">{sayContent(before)}</del>}
                {before !== undefined && after !== undefined && ' → '}
                {after !== undefined && <ins className="after">{sayContent(after)}</ins>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

/** As short as it can be said. */
function sayContent({ event_type: type, ip, domain, url }: Content): string {
  return [type, url ?? ip ?? domain].filter(Boolean).join(' ')
}
