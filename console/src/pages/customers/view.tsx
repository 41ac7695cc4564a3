// The list of customers, found by words of their name or id, with their open cases.

import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from 'casework/client'
import { Plus, Search } from 'lucide-react'
import { useCallback } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { CustomerName } from '../../parts/customer-name.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListFrame } from '../../parts/list-frame.tsx'
import { Page } from '../../parts/page.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Since } from '../../parts/since.tsx'
import { UrlField } from '../../parts/url-field.tsx'
import { useListPages } from '../../parts/use-list-pages.ts'
import { CustomerDialog } from '../customer/customer-dialog.tsx'
import '../customer/customer.css'
import { messages } from './messages.ts'
import { type CustomersSearch, customersRoute } from './route.ts'

type Row = Schemas['ListedCustomer']

const TYPING_MS = 250

export function CustomersView() {
  const t = useText(messages)
  const search = customersRoute.useSearch()
  const navigate = useNavigate({ from: customersRoute.fullPath })
  const change = useCallback(
    (part: Partial<CustomersSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...part }), replace: true }),
    [navigate],
  )
  const mayWrite = useMay('customers:write')
  const list = useCustomers(search.text)
  const columns = useColumns()
  const open = (id: string): void =>
    void navigate({ to: '/customers/$customerId', params: { customerId: id } })
  useKeys(
    t('title'),
    mayWrite ? [{ keys: 'n', title: t('add'), run: () => change({ add: 'customer' }) }] : [],
  )
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      isFull
      acts={
        mayWrite && (
          <Button
            leftSection={<Plus size={16} aria-hidden />}
            onClick={() => change({ add: 'customer' })}
          >
            {t('add')}
          </Button>
        )
      }
    >
      <div className="filters">
        <UrlField
          type="search"
          aria-label={t('find')}
          placeholder={t('find')}
          leftSection={<Search size={16} aria-hidden />}
          value={search.text ?? ''}
          read={readWords}
          stillMs={TYPING_MS}
          onChange={(text) => change({ text: text === '' ? undefined : text })}
          className="customer-search"
        />
      </div>
      <ListFrame list={list}>
        <DataTable
          label={t('title')}
          rows={list.rows}
          columns={columns}
          rowId={(row) => row.id}
          rowName={({ id, name }) => name ?? id}
          hiddenColumns={search.hide ?? []}
          onOpen={(row) => open(row.id)}
          onEnter={(row) => open(row.id)}
          isLoading={list.isPending}
          onEnd={list.loadMore}
          empty={
            search.text === undefined ? (
              <EmptyState
                title={t('empty')}
                text={t('empty_why')}
                command="npx casework import customers customers.csv"
              />
            ) : (
              <EmptyState title={t('none_match')} text={t('none_match_why')} />
            )
          }
        />
      </ListFrame>
      {search.add !== undefined && mayWrite && (
        <CustomerDialog
          customer={null}
          onClose={() => change({ add: undefined })}
          onSaved={({ id }) => open(id)}
        />
      )}
    </Page>
  )
}

/** The interface searches for words. */
function readWords(typed: string): string {
  return /[\p{L}\p{N}]/u.test(typed) ? typed.trim() : ''
}

function useCustomers(text: string | undefined) {
  return useListPages<Row>({
    key: ['customers', 'list', text ?? ''],
    ask: ({ signal, ...page }) =>
      casework.get('/beta/casework/customers', {
        params: {
          query: {
            ...(text === undefined ? {} : { text }),
            expand: 'open_cases',
            order: 'asc',
            ...page,
          },
        },
        signal,
      }),
  })
}

function useColumns(): readonly Column<Row>[] {
  const t = useText(messages)
  return [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(200px, 2fr)',
      narrow: 'first',
      narrowRank: 1,
      cell: ({ id, name }) => (
        <PathLink path={`/customers/${encodeURIComponent(id)}`} className="plain-link cut">
          {name ?? id}
        </PathLink>
      ),
    },
    {
      id: 'id',
      title: t('id'),
      width: 'minmax(140px, 1fr)',
      narrow: 'second',
      narrowRank: 1,
      cell: ({ id }) => <span className="mono cut">{id}</span>,
    },
    {
      id: 'open_cases',
      title: t('open_cases'),
      width: '110px',
      isNumber: true,
      narrow: 'first',
      narrowRank: 2,
      cell: ({ id, open_cases: count = 0 }) =>
        count === 0 ? (
          <span className="dim">–</span>
        ) : (
          <PathLink path={`/customers/${encodeURIComponent(id)}?tab=cases`} className="plain-link">
            {String(count)}
          </PathLink>
        ),
    },
    {
      id: 'contacts',
      title: t('contacts'),
      width: 'minmax(200px, 2fr)',
      narrow: 'second',
      narrowRank: 2,
      cell: ({ contacts }) =>
        contacts.length === 0 ? (
          <span className="dim">{t('no_contacts')}</span>
        ) : (
          <span className="cut">{contacts.map(({ email }) => email).join(', ')}</span>
        ),
    },
    {
      id: 'parent',
      title: t('parent'),
      width: 'minmax(120px, 1fr)',
      cell: ({ parent_customer_id: parent }) =>
        parent === undefined ? <span className="dim">–</span> : <CustomerName id={parent} />,
    },
    {
      id: 'updated',
      title: t('updated'),
      width: '130px',
      cell: ({ updated_at: at }) => <Since at={at} />,
    },
  ]
}
