// The list of playbooks: which version works new cases, and which runs need a person.

import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, FileUp, Library, ListTodo, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useMay } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { type Column, DataTable, type Sort } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Page } from '../../parts/page.tsx'
import { mustShowFailure, Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { readSort, writeSort } from '../../parts/table-search.ts'
import {
  attentionQuery,
  COUNTED_MAX,
  type Playbook,
  playbookQuery,
  playbooksQuery,
} from './data.ts'
import { messages } from './messages.ts'
import { NewPlaybook } from './new-playbook.tsx'
import { NEW_WAYS, playbooksRoute } from './route.ts'
import { PlaybookBadge } from './version-badge.tsx'
import './playbooks.css'

const ICONS = { empty: Plus, shipped: Library, file: FileUp } as const

export function PlaybooksView() {
  const t = useText(messages)
  const mayWrite = useMay('playbooks:write')
  const { sort, new: way } = playbooksRoute.useSearch()
  const navigate = useNavigate({ from: playbooksRoute.fullPath })
  const playbooks = useQuery(playbooksQuery)
  const columns = useColumns()
  const order = readSort(sort)
  const rows = useMemo(() => sortPlaybooks(playbooks.data ?? [], order), [playbooks.data, order])
  const change = (part: ReturnType<typeof playbooksRoute.useSearch>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  const open = ({ id }: Playbook): void =>
    void navigate({ to: '/playbooks/$playbookId', params: { playbookId: id } })
  useKeys(
    t('title'),
    mayWrite ? [{ keys: 'n', title: t('new_empty'), run: () => change({ new: 'empty' }) }] : [],
  )
  const create = mayWrite && <NewMenu onChoose={(next) => change({ new: next })} />
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      isFull
      acts={
        <>
          <Attention />
          {create}
        </>
      }
    >
      {mustShowFailure(playbooks) ? (
        <Problem error={playbooks.error} onRetry={() => void playbooks.refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          rows={rows}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          sort={order}
          onSort={(next) => change({ sort: writeSort(next) })}
          onOpen={open}
          onEnter={open}
          isLoading={playbooks.isPending}
          empty={
            <EmptyState
              title={t('empty')}
              text={t('empty_why')}
              command="npx casework playbook import --template notify-and-escalate"
            >
              {create}
            </EmptyState>
          }
        />
      )}
      {mayWrite && <NewPlaybook way={way} onClose={() => change({ new: undefined })} />}
    </Page>
  )
}

function NewMenu({ onChoose }: { readonly onChoose: (way: (typeof NEW_WAYS)[number]) => void }) {
  const t = useText(messages)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button rightSection={<ChevronDown size={14} aria-hidden />}>{t('new')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {NEW_WAYS.map((way) => {
          const Icon = ICONS[way]
          return (
            <Menu.Item
              key={way}
              leftSection={<Icon size={16} aria-hidden />}
              onClick={() => onChoose(way)}
            >
              {t(`new_${way}`)}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

/** To the queue of runs that a person has to look at. */
function Attention() {
  const t = useText(messages)
  const mayRead = useMay('cases:read')
  const { data } = useQuery({ ...attentionQuery, enabled: mayRead })
  if (!mayRead) return null
  const count = (data?.failed.length ?? 0) + (data?.waiting.length ?? 0)
  return (
    <Button
      variant="default"
      leftSection={<ListTodo size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/runs" {...props} />}
    >
      {data === undefined ? t('runs') : t('runs_attention', { count })}
    </Button>
  )
}

function useColumns(): readonly Column<Playbook>[] {
  const t = useText(messages)
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('name'),
        width: 'minmax(200px, 1fr)',
        narrow: 'first',
        isSortable: true,
        cell: ({ id, name }) => (
          <Link to="/playbooks/$playbookId" params={{ playbookId: id }} className="table-link cut">
            {name}
          </Link>
        ),
      },
      {
        id: 'state',
        title: t('state'),
        width: '150px',
        narrow: 'second',
        cell: (playbook) => <PlaybookBadge playbook={playbook} />,
      },
      {
        id: 'version',
        title: t('version'),
        width: '190px',
        cell: ({ active_version: active, latest_version: latest }) => (
          <span className="cut">
            {active === undefined ? t('version_none', { latest }) : t('version_active', { active })}
            {active !== undefined && latest > active && (
              <span className="dim"> · {t('version_newer', { latest })}</span>
            )}
          </span>
        ),
      },
      {
        id: 'waiting',
        title: t('waiting'),
        width: '140px',
        isNumber: true,
        cell: ({ id }) => <RunCount playbookId={id} kind="waiting" />,
      },
      {
        id: 'failed',
        title: t('failed'),
        width: '120px',
        isNumber: true,
        cell: ({ id }) => <RunCount playbookId={id} kind="failed" />,
      },
      {
        id: 'changed',
        title: t('changed'),
        width: '150px',
        narrow: 'second',
        cell: ({ id }) => <Changed playbookId={id} />,
      },
    ],
    [t],
  )
}

function RunCount({
  playbookId,
  kind,
}: {
  readonly playbookId: string
  readonly kind: 'waiting' | 'failed'
}) {
  const mayRead = useMay('cases:read')
  const { data } = useQuery({ ...attentionQuery, enabled: mayRead })
  if (data === undefined) return <span className="dim">–</span>
  const count = data[kind].filter((run) => run.playbook_id === playbookId).length
  if (count === 0) return <span className="dim">0</span>
  const said = data[kind].length >= COUNTED_MAX ? `${count}+` : String(count)
  return (
    <Link
      to="/runs"
      search={{ show: kind, playbook: playbookId }}
      className={kind === 'failed' ? 'table-link number-red' : 'table-link'}
    >
      {said}
    </Link>
  )
}

/** When its newest version was made; rows that are not in sight do not ask. */
function Changed({ playbookId }: { readonly playbookId: string }) {
  const { data } = useQuery(playbookQuery(playbookId))
  const at = data?.versions[0]?.created_at ?? data?.created_at
  return at === undefined ? <span className="dim">–</span> : <Since at={at} />
}

function sortPlaybooks(
  playbooks: readonly Playbook[],
  sort: Sort | undefined,
): readonly Playbook[] {
  if (sort?.by !== 'name') return playbooks
  const sorted = playbooks.toSorted((a, b) => a.name.localeCompare(b.name))
  return sort.isDescending ? sorted.toReversed() : sorted
}
