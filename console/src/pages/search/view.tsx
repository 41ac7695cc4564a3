// The page of results.

import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Briefcase, FileText, Radar, Users } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { useText } from '../../messages/use-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ListFrame } from '../../parts/list-frame.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Page } from '../../parts/page.tsx'
import { Since } from '../../parts/since.tsx'
import { useListRows } from '../../parts/use-list-pages.ts'
import { type Hit, KINDS, type Kind, resultsQuery } from './data.ts'
import { messages } from './messages.ts'
import { searchRoute } from './route.ts'

const ICONS = { customer: Users, case: Briefcase, report: FileText, event: Radar } as const
const PAGES = {
  customer: '/customers',
  case: '/cases',
  report: '/reports',
  event: '/events',
} as const satisfies Record<Kind, string>

export function SearchView() {
  const t = useText(messages)
  const { q = '', kind } = searchRoute.useSearch()
  const mayRead = useMay('cases:read')
  if (!mayRead) {
    return (
      <Page title={t('title')}>
        <NoPermission />
      </Page>
    )
  }
  if (q === '') {
    return (
      <Page title={t('title')}>
        <EmptyState title={t('nothing_asked')} text={t('nothing_asked_why')} />
      </Page>
    )
  }
  return <Results key={q} q={q} kind={kind} />
}

interface ResultsProps {
  readonly q: string
  readonly kind: Kind | undefined
}

function Results({ q, kind }: ResultsProps) {
  const t = useText(messages)
  const navigate = useNavigate({ from: searchRoute.fullPath })
  const list = useListRows(useInfiniteQuery(resultsQuery(q, kind)), itemsOf)
  const columns = useColumns()
  const readAs = list.data?.pages[0]?.read_as
  const item = readAs === undefined ? null : itemOf(readAs)
  const open = ({ kind: one, id }: Hit): void => {
    const path: string = pathOf(one, id)
    void navigate({ to: path })
  }
  return (
    <Page
      title={t('title_for', { text: q })}
      lede={readAs === undefined ? '…' : t('read_as', { kind: readAs.kind })}
      acts={
        item !== null && (
          <Button component={Link} to={`/lookup/${encodeURIComponent(item)}`}>
            <span className="cut">{t('look_up', { item })}</span>
          </Button>
        )
      }
      isFull
    >
      <div className="filters">
        <SegmentedControl
          aria-label={t('kinds')}
          value={kind ?? 'all'}
          data={[
            { value: 'all', label: t('all') },
            ...KINDS.map((one) => ({ value: one, label: t(`kind_${one}`) })),
          ]}
          onChange={(next) =>
            void navigate({
              search: { q, kind: KINDS.find((one) => one === next) },
              replace: true,
            })
          }
        />
      </div>
      <ListFrame list={list}>
        <DataTable
          label={t('title_for', { text: q })}
          rows={list.rows}
          columns={columns}
          rowId={({ kind: one, id }) => `${one} ${id}`}
          rowName={({ title }) => title}
          isLoading={list.isFetching}
          onOpen={open}
          onEnter={open}
          onEnd={list.loadMore}
          empty={<EmptyState title={t('none')} text={t('none_why')} />}
        />
      </ListFrame>
    </Page>
  )
}

function itemsOf({ items }: { readonly items: readonly Hit[] }): readonly Hit[] {
  return items
}

function pathOf(kind: Kind, id: string): string {
  return `${PAGES[kind]}/${encodeURIComponent(id)}`
}

/** What a look-up takes of the text; a URL stands for its host. */
function itemOf({ kind, text }: { readonly kind: string; readonly text: string }): string | null {
  if (kind === 'address' || kind === 'range' || kind === 'domain') return text
  if (kind !== 'url' || !URL.canParse(text)) return null
  const { hostname } = new URL(text)
  return hostname === '' ? null : hostname.replaceAll(/^\[|\]$/g, '')
}

function useColumns(): readonly Column<Hit>[] {
  const t = useText(messages)
  return [
    {
      id: 'kind',
      title: t('kind'),
      width: '132px',
      narrow: 'second',
      cell: ({ kind }) => {
        const Icon = ICONS[kind]
        return (
          <span className="row-of">
            <Icon size={16} aria-hidden className="dim" />
            {t(`one_${kind}`)}
          </span>
        )
      },
    },
    {
      id: 'what',
      title: t('what'),
      width: 'minmax(240px, 2fr)',
      narrow: 'first',
      cell: ({ kind, id, title }) => {
        const path: string = pathOf(kind, id)
        return (
          <Link to={path} className="line-title" preload={false}>
            {title}
          </Link>
        )
      },
    },
    {
      id: 'found',
      title: t('found_in'),
      width: 'minmax(200px, 2fr)',
      narrow: 'second',
      cell: ({ matched }) => (
        <span title={matched.text}>
          <span className="dim">{matched.field.replaceAll('_', ' ')}</span> {matched.text}
        </span>
      ),
    },
    {
      id: 'when',
      title: t('when'),
      width: '140px',
      cell: ({ at }) => <Since at={at} />,
    },
  ]
}
