// The head of one case beside the queue, with the acts on it.

import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { casework } from '../../data/client.ts'
import { queryClient } from '../../data/query-client.ts'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { SeverityBadge, StateBadge } from '../../parts/badges.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Since } from '../../parts/since.tsx'
import type { CaseDetail, ListedCase } from './case-types.ts'
import { DueTime } from './due-time.tsx'
import { messages } from './messages.ts'
import type { ActKind } from './shared/act-kinds.ts'
import { messages as sharedMessages } from './shared/messages.ts'
import { TriggerChoices } from './shared/trigger-choices.tsx'

export interface CasePanelProps {
  readonly id: string
  /** As the list has it, while the case is on its way. */
  readonly row: ListedCase | undefined
  readonly onClose: () => void
  readonly onAct: (kind: ActKind) => void
}

export function caseQuery(id: string) {
  return {
    queryKey: ['cases', id] as const,
    queryFn: () =>
      casework.get('/beta/casework/cases/{caseId}', {
        params: { path: { caseId: id }, query: { expand: 'customer' } },
      }),
  }
}

/**
 * The case of the panel: its row, or the case itself where a link or another filter shows it beside
 * rows that are without it. None while it is on its way.
 */
export function findOpened(
  rows: readonly ListedCase[],
  open: string,
): readonly (ListedCase | CaseDetail)[] {
  const opened =
    rows.find(({ id }) => id === open) ??
    queryClient.getQueryData<CaseDetail>(caseQuery(open).queryKey)
  return opened === undefined ? [] : [opened]
}

export function CasePanel({ id, row, onClose, onAct }: CasePanelProps) {
  const t = useText(messages)
  const { data, error, refetch } = useQuery(caseQuery(id))
  const types = data?.event_types ?? row?.summary?.event_types ?? []
  return (
    <SidePanel
      title={types.length === 0 ? id : types.join(', ')}
      onClose={onClose}
      acts={<PanelActs id={id} onAct={onAct} />}
    >
      {error !== null && data === undefined && (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading lines={8} />}
      {data !== undefined && <Head detail={data} name={row?.summary?.customer_name} />}
      {data !== undefined && data.waiting.length > 0 && (
        <section className="panel-section" aria-label={t('panel_playbook')}>
          <h3 className="section-title">{t('panel_playbook')}</h3>
          <TriggerChoices caseId={id} waiting={data.waiting} />
        </section>
      )}
    </SidePanel>
  )
}

function PanelActs({ id, onAct }: Pick<CasePanelProps, 'id' | 'onAct'>) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const mayWrite = useMay('cases:write')
  const mayMove = useMay('cases:transition')
  return (
    <Group gap={8}>
      <Button component={Link} to={`/cases/${encodeURIComponent(id)}`}>
        {t('open_case')}
      </Button>
      {mayWrite && (
        <>
          <Button variant="default" onClick={() => onAct('assign')}>
            {ts('assign')}
          </Button>
          {mayMove && (
            <Button variant="default" onClick={() => onAct('state')}>
              {ts('state')}
            </Button>
          )}
          <Button variant="default" onClick={() => onAct('comment')}>
            {ts('comment')}
          </Button>
        </>
      )}
    </Group>
  )
}

// The page of the case has them all.
const ITEMS_MAX = 8
const REPORTERS_MAX = 5

function Head({
  detail,
  name,
}: {
  readonly detail: CaseDetail
  readonly name: string | undefined
}) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const format = useFormat()
  const { severity, event_ips: ips, event_reporters: reporters, customer } = detail
  const recent = customer?.counters[0]
  const customerPath: string = `/customers/${encodeURIComponent(detail.customer_id)}`
  return (
    <div className="stack">
      <div className="row-of panel-badges">
        <StateBadge state={detail.state} />
        {severity !== undefined && <SeverityBadge severity={severity} />}
        {detail.due_at !== undefined && <DueTime at={detail.due_at} />}
      </div>
      <dl className="facts">
        <dt>{t('panel_customer')}</dt>
        <dd>
          <Link to={customerPath} className="plain-link">
            {name ?? detail.customer_id}
          </Link>
          {recent !== undefined && (
            <div className="dim small">
              {t('panel_recent', { cases: recent.cases, days: recent.days })}
            </div>
          )}
        </dd>
        <dt>{t('events')}</dt>
        <dd>
          {format.number(detail.event_count)} · <Since at={detail.last_event_date} />
        </dd>
        <dt>{t('panel_since')}</dt>
        <dd>
          <Since at={detail.first_event_date} />
        </dd>
        {ips.length > 0 && (
          <>
            <dt>{t('panel_items')}</dt>
            <dd>
              {ips.slice(0, ITEMS_MAX).map((ip) => (
                <div key={ip}>
                  <ItemLink item={ip} />
                </div>
              ))}
              <More count={ips.length - ITEMS_MAX} />
            </dd>
          </>
        )}
        {reporters.length > 0 && (
          <>
            <dt>{t('panel_reporters')}</dt>
            <dd>
              {reporters.slice(0, REPORTERS_MAX).map((reporter) => (
                <div key={reporter}>{reporter}</div>
              ))}
              <More count={reporters.length - REPORTERS_MAX} />
            </dd>
          </>
        )}
        <dt>{t('assignee')}</dt>
        <dd>{detail.assignee_name ?? detail.assignee_user_id ?? '–'}</dd>
        <dt>{t('waiting')}</dt>
        <dd>{detail.waiting_on === 'none' ? '–' : ts(`waiting_${detail.waiting_on}`)}</dd>
        {detail.tags.length > 0 && (
          <>
            <dt>{t('tags')}</dt>
            <dd>{detail.tags.join(', ')}</dd>
          </>
        )}
        <dt>{t('panel_id')}</dt>
        <dd className="mono">{detail.id}</dd>
      </dl>
      {detail.legal_hold && <div className="dim small">{t('panel_hold')}</div>}
    </div>
  )
}

function More({ count }: { readonly count: number }) {
  const t = useText(messages)
  return count > 0 ? <div className="dim small">{t('panel_more_items', { count })}</div> : null
}
