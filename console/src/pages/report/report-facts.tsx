// How the report came, who sent it, and what its transport proved.

import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { Since } from '../../parts/since.tsx'
import { messages as listMessages } from '../reports/messages.ts'
import type { ReportDetail } from './data.ts'
import { messages } from './messages.ts'

const BYTES_OF_KIB = 1_024

export function ReportFacts({ report }: { readonly report: ReportDetail }) {
  const t = useText(messages)
  const tl = useText(listMessages)
  const format = useFormat()
  const { envelope, authentication } = report
  return (
    <dl className="facts">
      <dt>{tl('received')}</dt>
      <dd>
        <Since at={report.received_at} /> · {tl(`via_${report.via}`)}
      </dd>
      <dt>{tl('reporter')}</dt>
      <dd>{report.reporter ?? tl('nobody')}</dd>
      {envelope !== undefined && envelope.to.length > 0 && (
        <>
          <dt>{t('envelope_to')}</dt>
          <dd>{envelope.to.join(', ')}</dd>
        </>
      )}
      {envelope?.remote_address !== undefined && (
        <>
          <dt>{t('handed_in_by')}</dt>
          <dd className="mono">{envelope.remote_address}</dd>
        </>
      )}
      {authentication !== undefined && (
        <>
          <dt>{t('authentication')}</dt>
          <dd className="row-of checks">
            {(['spf', 'dkim', 'dmarc', 'arc'] as const).map((name) => {
              const { result } = authentication[name]
              const isPass = result === 'pass'
              return (
                <Badge
                  key={name}
                  tone={isPass ? 'green' : 'grey'}
                  icon={isPass ? ShieldCheck : ShieldAlert}
                >
                  {`${name.toUpperCase()} ${result}`}
                </Badge>
              )
            })}
          </dd>
        </>
      )}
      {report.message_id !== undefined && (
        <>
          <dt>{t('message_id')}</dt>
          <dd className="mono">{report.message_id}</dd>
        </>
      )}
      <dt>{t('size')}</dt>
      <dd>
        {t('bytes', { size: format.number(Math.ceil(report.byte_length / BYTES_OF_KIB)) })}
        {' · '}
        {report.media_type}
      </dd>
    </dl>
  )
}
