// One event beside the list: what it says, where it belongs, and all of it as JSON.

import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { CustomerLink } from '../../parts/customer-name.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { shortId } from '../../parts/short-id.ts'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Since } from '../../parts/since.tsx'
import { eventQuery } from '../report/data.ts'
import { messages } from './messages.ts'

export interface EventPanelProps {
  readonly id: string
  readonly onClose: () => void
  readonly onReassign: () => void
}

export function EventPanel({ id, onClose, onReassign }: EventPanelProps) {
  const t = useText(messages)
  const { data, error, refetch } = useQuery(eventQuery(id))
  const mayWrite = useMay('cases:write')
  return (
    <SidePanel
      title={data?.event_type ?? t('event')}
      onClose={onClose}
      acts={
        mayWrite &&
        data !== undefined && (
          <Group gap={8}>
            <Button variant="default" onClick={onReassign}>
              {t('reassign')}
            </Button>
          </Group>
        )
      }
    >
      {error !== null && data === undefined && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading lines={8} />}
      {data !== undefined && (
        <div className="stack">
          <Facts event={data} />
          <JsonView label={t('json')} value={data} />
        </div>
      )}
    </SidePanel>
  )
}

function Facts({ event }: { readonly event: Schemas['Event'] }) {
  const t = useText(messages)
  const format = useFormat()
  const { ip, domain, case_id: caseId, customer_id: customerId, report_id: reportId } = event
  const url: unknown = Reflect.get(event.event_details ?? {}, 'url')
  return (
    <dl className="facts">
      <dt>{t('at')}</dt>
      <dd>
        <Since at={event.event_date} />
        <div className="dim small">{format.exact(new Date(event.event_date))}</div>
      </dd>
      {[ip, domain].map((item) =>
        item === undefined ? null : (
          <FactItem key={item} label={t(item === ip ? 'address' : 'domain')} item={item} />
        ),
      )}
      {typeof url === 'string' && (
        <>
          <dt>{t('link')}</dt>
          <dd>
            <ItemLink item={url} isPlain />
          </dd>
        </>
      )}
      <dt>{t('sender_email')}</dt>
      <dd>{event.sender_email}</dd>
      <dt>{t('customer_id')}</dt>
      <dd>
        {customerId === undefined ? (
          <span className="dim">{t('no_customer')}</span>
        ) : (
          <CustomerLink id={customerId} />
        )}
      </dd>
      <dt>{t('case_id')}</dt>
      <dd>
        {caseId === undefined ? (
          <span className="dim">{t('no_case')}</span>
        ) : (
          <PathLink path={`/cases/${encodeURIComponent(caseId)}`} className="plain-link mono">
            {shortId(caseId)}
          </PathLink>
        )}
      </dd>
      <dt>{t('report_id')}</dt>
      <dd>
        {reportId === undefined ? (
          <span className="dim">{t('pushed')}</span>
        ) : (
          <PathLink path={`/reports/${reportId}`} className="plain-link">
            {t('open_report')}
          </PathLink>
        )}
      </dd>
      {event.seen_count !== undefined && event.seen_count > 1 && (
        <>
          <dt>{t('seen')}</dt>
          <dd>{t('seen_count', { count: event.seen_count })}</dd>
        </>
      )}
    </dl>
  )
}

function FactItem({ label, item }: { readonly label: string; readonly item: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <ItemLink item={item} />
      </dd>
    </>
  )
}
