// Tokens of the tenant.

import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import type { Column } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { Since } from '../../../parts/since.tsx'
import { type Token, tokensQuery } from '../data.ts'
import { RecordsSection } from '../section.tsx'
import { messages } from './messages.ts'
import { TokenForm } from './token-form.tsx'
import { TokenOwner } from './token-owner.tsx'
import { TokenPanel } from './token-panel.tsx'
import { TokenState } from './token-state.tsx'

export function TokensSection() {
  const t = useText(messages)
  const may = useMay('tokens:manage')
  const query = useQuery({ ...tokensQuery, enabled: may })
  const columns = useColumns(query.data ?? [])
  return (
    <RecordsSection
      id="tokens"
      create={t('create')}
      newPanel={<TokenForm />}
      label={t('name')}
      query={query}
      columns={columns}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      empty={
        <EmptyState
          title={t('empty')}
          text={t('empty_why')}
          command="npx casework token create --name gateway --role ingest"
        />
      }
    >
      {(token) => <TokenPanel token={token} />}
    </RecordsSection>
  )
}

function useColumns(tokens: readonly Token[]): readonly Column<Token>[] {
  const t = useText(messages)
  const hasTenants = new Set(tokens.map(({ tenant_id: id }) => id)).size > 1
  return [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(160px, 2fr)',
      narrow: 'first',
      cell: ({ name }) => name,
    },
    {
      id: 'state',
      title: t('state'),
      width: '120px',
      narrow: 'first',
      cell: ({ state }) => <TokenState state={state} />,
    },
    ...(hasTenants
      ? [
          {
            id: 'tenant',
            title: t('tenant'),
            width: '140px',
            cell: ({ tenant_id: tenant }: Token) => tenant,
          },
        ]
      : []),
    {
      id: 'owner',
      title: t('owner'),
      width: 'minmax(100px, 1fr)',
      narrow: 'second',
      cell: ({ owner }) => <TokenOwner owner={owner} />,
    },
    {
      id: 'may',
      title: t('may'),
      width: 'minmax(100px, 1fr)',
      cell: ({ roles, scopes }) =>
        roles.length > 0 ? roles.join(', ') : t('count_scopes', { count: scopes.length }),
    },
    {
      id: 'last_used',
      title: t('last_used'),
      width: '130px',
      narrow: 'second',
      cell: ({ last_used_at: at }) => <Since at={at} />,
    },
    {
      id: 'ends',
      title: t('ends'),
      width: '140px',
      cell: ({ expires_at: at }) =>
        at === null ? <span className="dim">{t('no_end')}</span> : <Since at={at} />,
    },
  ]
}
