// Webhooks of the tenant.

import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import type { Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { Since } from '../../../parts/since.tsx'
import { type Webhook, webhooksQuery } from '../data.ts'
import { RecordsSection } from '../section.tsx'
import { messages } from './messages.ts'
import { NewWebhook } from './webhook-form.tsx'
import { WebhookPanel } from './webhook-panel.tsx'
import { WebhookState } from './webhook-state.tsx'

export function WebhooksSection() {
  const t = useText(messages)
  const query = useQuery({ ...webhooksQuery, enabled: useMay('webhooks:manage') })
  return (
    <RecordsSection
      id="webhooks"
      create={t('create')}
      newPanel={<NewWebhook />}
      label={t('url')}
      query={query}
      columns={useColumns()}
      rowId={({ id }) => id}
      rowName={({ url }) => url}
      empty={<EmptyState title={t('empty')} text={t('empty_why')} />}
    >
      {(webhook) => <WebhookPanel webhook={webhook} />}
    </RecordsSection>
  )
}

function useColumns(): readonly Column<Webhook>[] {
  const t = useText(messages)
  return [
    {
      id: 'url',
      title: t('url'),
      width: 'minmax(240px, 2fr)',
      narrow: 'first',
      cell: ({ url }) => <span className="mono">{url}</span>,
    },
    {
      id: 'description',
      title: t('description'),
      width: 'minmax(140px, 1fr)',
      narrow: 'second',
      cell: ({ description }) => description,
    },
    {
      id: 'types',
      title: t('types'),
      width: 'minmax(140px, 1fr)',
      cell: ({ types }) => types.join(', '),
    },
    {
      id: 'state',
      title: t('state'),
      width: '90px',
      narrow: 'first',
      cell: (webhook) => <WebhookState webhook={webhook} />,
    },
    {
      id: 'created',
      title: t('created'),
      width: '130px',
      cell: ({ created_at: at }) => <Since at={at} />,
    },
  ]
}
