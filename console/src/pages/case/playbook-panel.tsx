// The run of a playbook on the case: its graph with the place of the token lit and the ways that
// were taken, its next timer, and the same as a list.

import { Button, SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleDot, Play } from 'lucide-react'
import { useMemo } from 'react'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { type Text, useText } from '../../messages/use-text.ts'
import { Badge, type Tone } from '../../parts/badges.tsx'
import { Loading } from '../../parts/loading.tsx'
import type { GraphNode } from '../../parts/playbook-graph/graph.ts'
import { PlaybookGraph, wayKey } from '../../parts/playbook-graph/playbook-graph.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useRunFailure } from '../../parts/run-failure.ts'
import { Since } from '../../parts/since.tsx'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import { versionQuery } from '../playbooks/data.ts'
import { type RunDetail, runQuery, runsQuery } from './data.ts'
import { messages } from './messages.ts'
import { PanelSection } from './panel-section.tsx'
import type { CaseSearch } from './route.ts'

export interface PlaybookPanelProps {
  readonly caseId: string
  readonly search: CaseSearch
  readonly onSearch: (part: Partial<CaseSearch>) => void
  readonly onStart: () => void
}

const STATES = {
  active: 'violet',
  paused: 'amber',
  ended: 'grey',
  failed: 'red',
  cancelled: 'grey',
} as const satisfies Record<RunDetail['state'], Tone>

export function PlaybookPanel({ caseId, search, onSearch, onStart }: PlaybookPanelProps) {
  const t = useText(messages)
  const mayTrigger = useMay('playbooks:trigger')
  const query = useQuery(runsQuery(caseId))
  const runs = query.data?.items ?? []
  const shown = runs.find(({ run_id: id }) => id === search.run) ?? runs[0]
  const title =
    shown === undefined
      ? t('playbook')
      : t('playbook_named', { name: shown.playbook_name, version: shown.version })
  return (
    <PanelSection
      title={title}
      query={query}
      acts={
        shown !== undefined && <Badge tone={STATES[shown.state]}>{t(`run_${shown.state}`)}</Badge>
      }
    >
      {runs.length > 1 && (
        <Select
          aria-label={t('runs')}
          allowDeselect={false}
          data={runs.map((run) => ({
            value: run.run_id,
            label: `${run.playbook_name} v${run.version}, ${t(`run_${run.state}`)}`,
          }))}
          value={shown?.run_id ?? null}
          onChange={(value) => onSearch({ run: value ?? undefined })}
          mb={8}
        />
      )}
      {shown === undefined ? (
        <div className="side-none">
          <p className="dim">{t('no_run')}</p>
          {mayTrigger && (
            <Button
              variant="default"
              leftSection={<Play size={14} aria-hidden />}
              onClick={onStart}
            >
              {t('act_start')}
            </Button>
          )}
        </div>
      ) : (
        <Run caseId={caseId} runId={shown.run_id} search={search} onSearch={onSearch} />
      )}
    </PanelSection>
  )
}

interface RunProps extends Omit<PlaybookPanelProps, 'onStart'> {
  readonly runId: string
}

function Run({ caseId, runId, search, onSearch }: RunProps) {
  const t = useText(messages)
  const mayRead = useMay('playbooks:read')
  const run = useQuery(runQuery(caseId, runId))
  const { playbook_id: playbookId = '', version: number = 0 } = run.data ?? {}
  const version = useQuery({
    ...versionQuery(playbookId, number),
    // It never changes once a run is on it.
    staleTime: Number.POSITIVE_INFINITY,
    enabled: mayRead && run.data !== undefined,
  })
  if (run.data === undefined) {
    if (run.error === null) return <Loading lines={4} />
    return <Problem error={run.error} onRetry={() => void run.refetch()} />
  }
  const { data } = run
  const isList = search.steps === 'list' || !mayRead
  const runPath: string = `/runs/${encodeURIComponent(runId)}`
  return (
    <>
      <RunLine run={data} />
      {mayRead && (
        <SegmentedControl
          aria-label={t('show_as')}
          value={isList ? 'list' : 'graph'}
          onChange={(value) => onSearch({ steps: value === 'list' ? 'list' : undefined })}
          data={[
            { value: 'graph', label: t('as_graph') },
            { value: 'list', label: t('as_list') },
          ]}
        />
      )}
      {!isList && version.error !== null && (
        <Problem error={version.error} onRetry={() => void version.refetch()} />
      )}
      {!isList && version.isLoading && <Loading lines={6} />}
      {!isList && version.data !== undefined && <RunGraph run={data} nodes={version.data.nodes} />}
      {isList && <Steps run={data} />}
      <Link to={runPath} className="plain-link small">
        {t('open_run')}
      </Link>
    </>
  )
}

const GRAPH_HEIGHT = 280

function RunGraph({
  run,
  nodes,
}: {
  readonly run: RunDetail
  readonly nodes: readonly GraphNode[]
}) {
  const t = useText(messages)
  const format = useFormat()
  const marks = useMemo(() => {
    const tokens = run.tokens.filter(({ state }) => state !== 'done')
    const [token] = tokens
    const last = run.visits.at(-1)?.node
    const id = token?.node ?? last
    return {
      here: new Set(tokens.map(({ node }) => node)),
      taken: new Set(run.visits.map(({ node, path }) => wayKey(node, path ?? ''))),
      notes: new Map(
        tokens.flatMap(({ node, timer_at: at }) =>
          at === undefined
            ? []
            : [[node, t('until', { time: format.time(new Date(at)) })] as const],
        ),
      ),
      // Large playbooks are read around the place of the token.
      focus: id === undefined ? undefined : { id },
    }
  }, [run, t, format])
  return (
    <div className="run-graph">
      <PlaybookGraph
        nodes={nodes}
        label={t('graph_of', { name: run.playbook_name })}
        height={GRAPH_HEIGHT}
        {...marks}
      />
    </div>
  )
}

/** Where it stands, for whom it waits, and when it goes on by itself. */
function RunLine({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const sayFailure = useRunFailure()
  const tokens = run.tokens.filter(({ state }) => state !== 'done')
  return (
    <div className="side-lines">
      {tokens.map(({ token, node, waits_for: waitsFor, timer_at: timer }) => (
        <div key={token}>
          {t('stands_at')} <code className="mono">{node}</code>
          {waitsFor !== undefined && (
            <span className="dim"> · {t('waits_on', { party: sayParty(waitsFor, ts) })}</span>
          )}
          {timer !== undefined && (
            <span className="dim">
              {' · '}
              {t('next_timer')} <Since at={timer} />
            </span>
          )}
        </div>
      ))}
      {run.failure !== undefined && <div className="run-failure">{sayFailure(run.failure)}</div>}
      {run.ended_at !== undefined && (
        <div className="dim">
          {t('run_ended_at')} <Since at={run.ended_at} />
        </div>
      )}
    </div>
  )
}

const PARTIES = ['agent', 'customer', 'reporter', 'third_party', 'timer'] as const

/** A node may wait for other things too, such as another run. */
function sayParty(waitsFor: string, ts: Text<keyof (typeof sharedMessages)['en']>): string {
  const party = PARTIES.find((one) => one === waitsFor)
  return party === undefined ? waitsFor : ts(`waiting_${party}`)
}

const STEPS_SHOWN = 30

function Steps({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const visits = run.visits.slice(-STEPS_SHOWN)
  return (
    <ol className="run-steps" aria-label={t('steps')}>
      {visits.length < run.visits.length && (
        <li className="dim small">
          {t('earlier_steps', { count: run.visits.length - visits.length })}
        </li>
      )}
      {visits.map(({ token, visit, node, path, left_at: at }) => (
        <li key={`${token} ${visit}`} className="run-step">
          <code className="mono cut">{node}</code>
          <span className="dim cut">{path === 'next' ? '' : path}</span>
          <span className="dim small run-step-at">
            <Since at={at} isShort />
          </span>
        </li>
      ))}
      {run.tokens
        .filter(({ state }) => state !== 'done')
        .map(({ token, node }) => (
          <li key={`now ${token}`} className="run-step" aria-current="step">
            <CircleDot size={14} aria-hidden />
            <code className="mono cut">{node}</code>
            <span className="run-step-at">{t('here_now')}</span>
          </li>
        ))}
    </ol>
  )
}
