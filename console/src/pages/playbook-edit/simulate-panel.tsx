// The graph as drawn, tried on past cases: which paths they would have taken, and what would have
// been written and sent. Nothing is.

import { Button, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import type { GraphNode } from '../../parts/playbook-graph/graph.ts'
import { useRunFailure } from '../../parts/run-failure.ts'
import { CaseLink } from '../runs/view.tsx'
import { caseGroupsQuery, type Simulation, simulate } from './data.ts'
import { messages } from './messages.ts'

export interface SimulatePanelProps {
  readonly nodes: readonly GraphNode[]
  readonly simulation: Simulation | undefined
  readonly onResult: (simulation: Simulation) => void
  /** The case whose way is lit; null lights the ways of all. */
  readonly shown: string | null
  readonly onShow: (caseId: string | null) => void
}

const LAST = 10
const LAST_MAX = 100
type SimulatedCase = Simulation['cases'][number]

export function SimulatePanel(props: SimulatePanelProps) {
  const t = useText(messages)
  const { nodes, simulation, shown, onShow } = props
  const [last, setLast] = useState(LAST)
  const [group, setGroup] = useState<string | null>(null)
  const [assume, setAssume] = useState<Readonly<Record<string, string>>>({})
  const groups = useQuery(caseGroupsQuery)
  const asked = nodes.filter(({ kind }) => kind === 'manual' || kind === 'trigger')
  const run = useAct({
    act: () => simulate({ nodes, last, caseGroup: group, assume: pickFitting(assume, asked) }),
    touches: () => [],
    onDone: (result) => {
      onShow(null)
      props.onResult(result)
    },
  })
  const found = simulation?.cases.find(({ case_id: id }) => id === shown)
  return (
    <div className="inspector">
      <h2 className="section-title">{t('simulate')}</h2>
      <p className="dim small inspector-words">{t('simulate_why')}</p>
      <NumberInput
        label={t('simulate_last')}
        min={1}
        max={LAST_MAX}
        value={last}
        onChange={(value) => setLast(typeof value === 'number' ? value : LAST)}
      />
      <Select
        label={t('simulate_group')}
        placeholder={t('simulate_all_groups')}
        data={groups.data ?? []}
        value={group}
        clearable
        onChange={setGroup}
      />
      {asked.map((node) => (
        <Select
          key={node.id}
          label={t('simulate_assume', { node: node.id })}
          placeholder={t('simulate_waits')}
          data={choicesOf(node)}
          value={pickFitting(assume, [node])[node.id] ?? null}
          clearable
          onChange={(path) => {
            const { [node.id]: _former, ...others } = assume
            setAssume(path === null ? others : { ...others, [node.id]: path })
          }}
        />
      ))}
      <Button
        leftSection={<Play size={14} aria-hidden />}
        loading={run.isPending}
        onClick={() => run.mutate(undefined)}
      >
        {t('simulate_run')}
      </Button>
      <FormProblem error={run.error} />
      {simulation !== undefined && <Summary simulation={simulation} />}
      {simulation !== undefined && (
        <ul className="simulated" aria-label={t('simulate_cases')}>
          {simulation.cases.map((one) => (
            <li key={one.case_id}>
              <button
                type="button"
                className="simulated-case"
                aria-pressed={one.case_id === shown}
                onClick={() => onShow(one.case_id === shown ? null : one.case_id)}
              >
                <span className="mono small cut">{one.case_id}</span>
                <span className="small">{t(`outcome_${one.outcome}`)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {found !== undefined && <Story found={found} />}
    </div>
  )
}

/** What was answered before a node was renamed or lost the choice is no answer any more. */
function pickFitting(
  assume: Readonly<Record<string, string>>,
  asked: readonly GraphNode[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    asked.flatMap((node) => {
      const path = assume[node.id]
      return path !== undefined && choicesOf(node).includes(path) ? [[node.id, path] as const] : []
    }),
  )
}

function choicesOf({ config = {} }: GraphNode): string[] {
  const paths = Array.isArray(config['paths']) ? config['paths'] : []
  const named = paths.filter((path): path is string => typeof path === 'string' && path !== '')
  return [...new Set(config['timeout'] === undefined ? named : [...named, 'timeout'])]
}

function Summary({ simulation: { summary } }: { readonly simulation: Simulation }) {
  const sayFailure = useRunFailure()
  const t = useText(messages)
  if (summary.cases === 0) return <p className="dim">{t('simulate_none')}</p>
  return (
    <ul className="effects" role="status">
      {summary.outcomes.map(({ outcome, cases, reason }) => (
        <li key={`${outcome} ${reason}`}>
          {t('outcome_count', { count: cases, outcome: t(`outcome_${outcome}`) })}
          {reason !== undefined && <span className="dim"> · {sayFailure(reason)}</span>}
        </li>
      ))}
      {summary.effects.map(({ node, kind, count }) => (
        <li key={`${node} ${kind}`}>{t('effect_count', { node, kind, count })}</li>
      ))}
    </ul>
  )
}

/** One case: what would have been done to it, in order. */
function Story({ found }: { readonly found: SimulatedCase }) {
  const sayFailure = useRunFailure()
  const t = useText(messages)
  return (
    <section className="stack" aria-label={t('story')}>
      <div>
        <CaseLink caseId={found.case_id} />
      </div>
      <ol className="effects">
        {found.effects.map((effect) => (
          <li key={`${effect.node} ${effect.kind} ${effect.at}`}>
            <Effect effect={effect} />
          </li>
        ))}
        {found.waits.map(({ node, paths }) => (
          <li key={node}>{t('would_wait', { node, paths: paths.join(', ') })}</li>
        ))}
        {found.problems.map(({ node, reason }) => (
          <li key={`${node} ${reason}`} className="tone-red">
            {node}: {sayFailure(reason)}
          </li>
        ))}
        {found.effects.length + found.waits.length + found.problems.length === 0 && (
          <li className="dim">{t('would_nothing')}</li>
        )}
      </ol>
    </section>
  )
}

function Effect({ effect }: { readonly effect: SimulatedCase['effects'][number] }) {
  const t = useText(messages)
  const { notice, mitigation, text, to_state: state, kind, node, changes } = effect
  if (notice !== undefined) {
    return (
      <>
        {t('would_mail', { to: textOf(notice['recipient'] ?? notice['party']) })}
        <div className="effect-text">{textOf(notice['subject'])}</div>
      </>
    )
  }
  if (mitigation !== undefined) {
    const what = [mitigation['kind'], mitigation['target']].map(textOf).join(' ')
    return <>{t('would_mitigate', { what })}</>
  }
  if (text !== undefined) {
    return (
      <>
        {t('would_comment')}
        <div className="effect-text">{text}</div>
      </>
    )
  }
  if (state !== undefined) return <>{t('would_move', { state })}</>
  const what = changes === undefined ? kind : Object.keys(changes).join(', ')
  return <>{t('would_do', { node, what })}</>
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
