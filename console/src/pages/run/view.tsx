// The run inspector: where a run is, every node that it passed with what went in and came out, the
// calls that it made, and what a person may do with it.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { PlaybookGraph, wayKey } from '../../parts/playbook-graph/playbook-graph.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useRunFailure } from '../../parts/run-failure.ts'
import { Since } from '../../parts/since.tsx'
import { versionQuery } from '../playbooks/data.ts'
import { type RunDetail, runQuery } from '../runs/data.ts'
import { messages } from '../runs/messages.ts'
import { RunBadge } from '../runs/run-badge.tsx'
import { CaseLink } from '../runs/view.tsx'
import { Attempts } from './attempts.tsx'
import { runRoute } from './route.ts'
import { RunActs } from './run-acts.tsx'
import { Tokens } from './tokens.tsx'
import { Triggers } from './triggers.tsx'
import { Visits } from './visits.tsx'
import '../playbooks/playbooks.css'
import '../runs/runs.css'

export function RunView() {
  const t = useText(messages)
  const { runId } = runRoute.useParams()
  const run = useQuery(runQuery(runId))
  // A dialog that is open stays when the run cannot be read again.
  if (run.error !== null && run.data === undefined) {
    return (
      <Page title={t('run')}>
        <Problem
          error={run.error}
          onRetry={() => void run.refetch()}
          onward={
            <PathLink path="/runs" className="text-link">
              {t('to_runs')}
            </PathLink>
          }
        />
      </Page>
    )
  }
  if (run.data === undefined) {
    return (
      <Page title={t('run')}>
        <Loading />
      </Page>
    )
  }
  return <Shown run={run.data} />
}

function Shown({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const sayFailure = useRunFailure()
  const { playbook_name: name, version, failure, node } = run
  return (
    <Page
      title={t('run_of', { name, version })}
      lede={<Lede run={run} />}
      acts={<RunActs run={run} />}
    >
      {failure !== undefined && (
        <div className="note run-note" data-tone="red" role="status">
          <TriangleAlert size={16} aria-hidden />
          <span>{t('failed_because', { node: node ?? '', reason: sayFailure(failure) })}</span>
        </div>
      )}
      <Way run={run} />
      <div className="run-columns">
        <Visits run={run} />
        <div className="run-side">
          {run.state === 'active' && <Triggers run={run} />}
          <Tokens run={run} />
          <Attempts run={run} />
        </div>
      </div>
    </Page>
  )
}

function Lede({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const { playbook_id: playbookId, version, parent_run_id: parent } = run
  return (
    <div className="row-of" style={{ flexWrap: 'wrap' }}>
      <RunBadge state={run.state} />
      <span>
        {t('on_case')} <CaseLink caseId={run.case_id} />
      </span>
      <span>
        {t('started')} <Since at={run.started_at} />
        {run.started_by !== undefined && <> {t('started_by', { actor: run.started_by })}</>}
      </span>
      {parent !== undefined && (
        <span>
          {t('parent')}{' '}
          <Link to="/runs/$runId" params={{ runId: parent }} className="mono">
            {parent}
          </Link>
        </span>
      )}
      <Link
        to="/playbooks/$playbookId"
        params={{ playbookId }}
        search={{ version }}
        className="plain-link"
      >
        {t('open_playbook')}
      </Link>
    </div>
  )
}

/** The graph with the ways that were taken, and the places of the tokens lit. */
function Way({ run }: { readonly run: RunDetail }) {
  const t = useText(messages)
  const format = useFormat()
  const { node: shown } = runRoute.useSearch()
  const navigate = useNavigate({ from: runRoute.fullPath })
  const version = useQuery(versionQuery(run.playbook_id, run.version))
  const { tokens, visits } = run
  const here = useMemo(
    () => new Set(tokens.filter(({ state }) => state !== 'done').map(({ node }) => node)),
    [tokens],
  )
  const taken = useMemo(
    () =>
      new Set(visits.flatMap(({ node, path }) => (path === undefined ? [] : [wayKey(node, path)]))),
    [visits],
  )
  const notes = new Map(
    tokens.flatMap(({ node, timer_at: at }) =>
      at === undefined ? [] : [[node, t('until', { time: format.time(new Date(at)) })] as const],
    ),
  )
  // Without the scope for playbooks, or after the version is gone, the visits say the same.
  if (version.data === undefined) return version.isPending ? <Loading lines={6} /> : null
  return (
    <PlaybookGraph
      nodes={version.data.nodes}
      label={t('graph')}
      here={here}
      taken={taken}
      notes={notes}
      selected={new Set(shown === undefined ? [] : [shown])}
      onSelect={(ids) => void navigate({ search: { node: ids.at(-1) }, replace: true })}
    />
  )
}
