// Runs of playbooks: first those that need a person, the longest waiting first.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useNewCount } from '../../data/live.ts'
import { useText } from '../../messages/use-text.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { ListFrame } from '../../parts/list-frame.tsx'
import { NewRows } from '../../parts/notes.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useRunFailure } from '../../parts/run-failure.ts'
import { shortId } from '../../parts/short-id.ts'
import { Since } from '../../parts/since.tsx'
import { attentionQuery, COUNTED_MAX, playbooksQuery } from '../playbooks/data.ts'
import { needyRunsQuery, QUEUES, type Queue, type RunOfCase, useRuns } from './data.ts'
import { messages } from './messages.ts'
import { runsRoute } from './route.ts'
import { RunBadge, WaitsFor } from './run-badge.tsx'
import '../playbooks/playbooks.css'
import './runs.css'

export function RunsView() {
  const t = useText(messages)
  const { show = 'attention', playbook } = runsRoute.useSearch()
  const navigate = useNavigate({ from: runsRoute.fullPath })
  const playbooks = useQuery(playbooksQuery)
  const change = (part: ReturnType<typeof runsRoute.useSearch>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  return (
    <Page title={t('title')} lede={t('lede')} isFull>
      <Queues
        show={show}
        onShow={(next) => change({ show: next === 'attention' ? undefined : next })}
      />
      <FilterBar
        filters={[
          {
            name: 'playbook',
            title: t('playbook'),
            values: playbook === undefined ? [] : [playbook],
            choices: (playbooks.data ?? []).map(({ id, name }) => ({ value: id, title: name })),
          },
        ]}
        onChange={(_name, values) => change({ playbook: values.at(-1) })}
      />
      {show === 'attention' ? (
        <Needy playbookId={playbook} />
      ) : (
        <Listed queue={show} playbookId={playbook} />
      )}
    </Page>
  )
}

/** The queues with their counts; those that need a person come first. */
function Queues({
  show,
  onShow,
}: {
  readonly show: Queue
  readonly onShow: (queue: Queue) => void
}) {
  const t = useText(messages)
  const { data } = useQuery(attentionQuery)
  const counts: Partial<Record<Queue, number>> =
    data === undefined
      ? {}
      : {
          attention: data.failed.length + data.waiting.length + data.paused.length,
          failed: data.failed.length,
          waiting: data.waiting.length,
          paused: data.paused.length,
        }
  return (
    <nav className="queues" aria-label={t('queues')}>
      {QUEUES.map((queue) => {
        const count = counts[queue]
        return (
          <button
            key={queue}
            type="button"
            className="queue"
            aria-current={queue === show ? 'true' : undefined}
            onClick={() => onShow(queue)}
          >
            {t(`queue_${queue}`)}
            {count !== undefined && (
              <span className="queue-count">{count >= COUNTED_MAX ? `${count}+` : count}</span>
            )}
          </button>
        )
      })}
    </nav>
  )
}

function Needy({ playbookId }: { readonly playbookId: string | undefined }) {
  const t = useText(messages)
  const runs = useQuery(needyRunsQuery)
  const count = useNewCount('run', runs.dataUpdatedAt)
  if (runs.error !== null && runs.data === undefined) {
    return <Problem error={runs.error} onRetry={() => void runs.refetch()} />
  }
  const rows = (runs.data ?? []).filter(
    (run) => playbookId === undefined || run.playbook_id === playbookId,
  )
  return (
    <>
      <NewRows count={count} loadedAtMs={runs.dataUpdatedAt} onLoad={() => void runs.refetch()} />
      <RunTable
        rows={rows}
        isLoading={runs.isPending}
        empty={<EmptyState title={t('empty_attention')} text={t('empty_attention_why')} />}
      />
    </>
  )
}

function Listed({
  queue,
  playbookId,
}: {
  readonly queue: Exclude<Queue, 'attention'>
  readonly playbookId: string | undefined
}) {
  const t = useText(messages)
  const runs = useRuns({ queue, playbookId })
  return (
    <ListFrame list={runs} newCount={useNewCount('run', runs.loadedAtMs)}>
      <RunTable
        rows={runs.rows}
        isLoading={runs.isPending}
        onEnd={runs.loadMore}
        empty={<EmptyState title={t('empty')} text={t('empty_why')} />}
      />
    </ListFrame>
  )
}

interface RunTableProps {
  readonly rows: readonly RunOfCase[]
  readonly isLoading: boolean
  readonly empty: ReactNode
  readonly onEnd?: () => void
}

function RunTable({ rows, isLoading, empty, onEnd }: RunTableProps) {
  const t = useText(messages)
  const navigate = useNavigate()
  const columns = useColumns()
  const open = ({ run_id: runId }: RunOfCase): void =>
    void navigate({ to: '/runs/$runId', params: { runId } })
  return (
    <DataTable
      label={t('title')}
      rows={rows}
      columns={columns}
      rowId={(run) => run.run_id}
      rowName={(run) => `${run.playbook_name}, ${run.case_id}`}
      onOpen={open}
      onEnter={open}
      isLoading={isLoading}
      empty={empty}
      {...(onEnd === undefined ? {} : { onEnd })}
    />
  )
}

function useColumns(): readonly Column<RunOfCase>[] {
  const t = useText(messages)
  return useMemo(
    () => [
      {
        id: 'state',
        title: t('state'),
        width: '148px',
        narrow: 'first',
        cell: ({ state }) => <RunBadge state={state} />,
      },
      {
        id: 'playbook',
        title: t('playbook'),
        width: 'minmax(160px, 1.2fr)',
        narrow: 'first',
        cell: ({ run_id: runId, playbook_name: name, version }) => (
          <Link to="/runs/$runId" params={{ runId }} className="table-link cut">
            {name} <span className="dim">v{version}</span>
          </Link>
        ),
      },
      {
        id: 'node',
        title: t('node'),
        width: 'minmax(120px, 0.8fr)',
        narrow: 'second',
        cell: ({ node }) => <span className="mono cut">{node ?? '–'}</span>,
      },
      {
        id: 'reason',
        title: t('reason'),
        width: 'minmax(200px, 1.6fr)',
        narrow: 'second',
        cell: ({ failure, waits_for: party }) =>
          failure === undefined ? <WaitsFor party={party} /> : <Failure reason={failure} />,
      },
      {
        id: 'since',
        title: t('since'),
        width: '130px',
        narrow: 'second',
        cell: ({ since }) => <Since at={since} />,
      },
      {
        id: 'timer',
        title: t('timer'),
        width: '130px',
        cell: ({ next_timer_at: at }) =>
          at === undefined ? <span className="dim">–</span> : <Since at={at} />,
      },
      {
        id: 'case',
        title: t('case'),
        width: 'minmax(140px, 1fr)',
        cell: ({ case_id: caseId }) => <CaseLink caseId={caseId} />,
      },
    ],
    [t],
  )
}

function Failure({ reason }: { readonly reason: string }) {
  const sayFailure = useRunFailure()
  return (
    <span className="cut number-red" title={reason}>
      {sayFailure(reason)}
    </span>
  )
}

/** The page of a case is another part of the console. */
export function CaseLink({ caseId }: { readonly caseId: string }) {
  const path: string = `/cases/${caseId}`
  return (
    <Link to={path} className="table-link mono cut" title={caseId}>
      {shortId(caseId)}
    </Link>
  )
}
