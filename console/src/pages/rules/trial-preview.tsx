// "Would have matched 214 of the last 1,000 events": what a drafted rule would do, with the events
// whose fate it would change.

import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CaseworkError } from 'casework/client'
import { ArrowRight, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { ProblemWords } from '../../parts/problem-words.tsx'
import { Since } from '../../parts/since.tsx'
import { type Trial, type TrialItem, type TrialRequest, trialQuery } from './data.ts'
import { messages } from './editor-messages.ts'

const TYPING_MS = 500

/** Asks again when the draft has stood still for half a second. */
export function useTrial(request: TrialRequest | null) {
  const mayTry = useMay('events:read')
  const [settled] = useDebouncedValue(request, TYPING_MS)
  const empty: TrialRequest = { mute_rule: { condition: 'false' } }
  const query = useQuery({ ...trialQuery(settled ?? empty), enabled: mayTry && settled !== null })
  // A rule that says nothing yet has no effect, also not that of the draft before it.
  return { ...query, data: settled === null ? undefined : query.data, isAsked: settled !== null }
}

export function TrialPreview({
  trial,
  kind,
}: {
  readonly trial: ReturnType<typeof useTrial>
  readonly kind: 'group' | 'mute'
}) {
  const t = useText(messages)
  const mayTry = useMay('events:read')
  const { data, error, isFetching, isAsked } = trial
  return (
    <section className="trial" aria-label={t('preview')} aria-busy={isFetching}>
      <div className="trial-head">
        <h2 className="section-title">{t('preview')}</h2>
        {mayTry && isAsked && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<RotateCw size={14} aria-hidden />}
            onClick={() => void trial.refetch()}
          >
            {t('try_again')}
          </Button>
        )}
      </div>
      {!mayTry && <p className="dim">{t('preview_forbidden')}</p>}
      {mayTry && error !== null && <Fault error={error} />}
      {mayTry &&
        error === null &&
        data === undefined &&
        (isFetching ? <Loading lines={4} /> : <p className="dim">{t('preview_waits')}</p>)}
      {error === null && data !== undefined && <Effect trial={data} kind={kind} />}
    </section>
  )
}

function Fault({ error }: { readonly error: Error }) {
  const t = useText(messages)
  const isField = error instanceof CaseworkError && error.locations.length > 0
  return (
    <div className="note" data-tone={isField ? 'amber' : 'red'} role="status">
      <span>{isField ? t('preview_faulty') : <ProblemWords error={error} />}</span>
    </div>
  )
}

const SAMPLES = 8

function Effect({ trial, kind }: { readonly trial: Trial; readonly kind: 'group' | 'mute' }) {
  const t = useText(messages)
  const format = useFormat()
  const [isAll, setAll] = useState(false)
  const { counts, items } = trial
  const share = counts.events === 0 ? 0 : counts.matched / counts.events
  const facts = [
    ...(kind === 'group' ? (['opened', 'joined', 'held', 'muted'] as const) : (['muted'] as const)),
    'unassigned' as const,
    'different' as const,
  ]
  const faults = (['failed', 'exceeded'] as const).filter((name) => counts[name] > 0)
  return (
    <div className="stack">
      <div role="status">
        <div className="trial-answer">
          {counts.events === 0
            ? t('no_events')
            : t(kind === 'group' ? 'would_match' : 'would_mute', {
                matched: counts.matched,
                events: counts.events,
              })}
        </div>
        <div className="trial-bar" aria-hidden>
          <span style={{ width: `${share * 100}%` }} />
        </div>
      </div>
      <dl className="trial-facts">
        {facts.map((name) => (
          <div key={name}>
            <dt>{t(`count_${name}`)}</dt>
            <dd className="number">{format.number(counts[name])}</dd>
          </div>
        ))}
      </dl>
      {faults.map((name) => (
        <div key={name} className="note" data-tone="amber">
          <span>{t(`count_${name}`, { count: counts[name] })}</span>
        </div>
      ))}
      {items.length > 0 && (
        <>
          <h3 className="small dim trial-samples">{t('samples')}</h3>
          <ul className="trial-events" aria-label={t('samples')}>
            {items.slice(0, isAll ? 100 : SAMPLES).map((item) => (
              <Sample key={item.event_id} item={item} />
            ))}
          </ul>
          {items.length > SAMPLES && !isAll && (
            <div>
              <Button variant="subtle" color="gray" onClick={() => setAll(true)}>
                {t('samples_more', { count: Math.min(100, items.length) - SAMPLES })}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  )
}

function Sample({ item }: { readonly item: TrialItem }) {
  const t = useText(messages)
  const path: string = `/events/${encodeURIComponent(item.event_id)}`
  return (
    <li className="trial-event">
      <span className="row-of">
        <Link className="cut trial-type" to={path}>
          {item.event_type}
        </Link>
        <span className="dim small">
          <Since at={item.event_date} />
        </span>
      </span>
      <span className="small row-of trial-change">
        <span className="dim cut">{useOutcome(item.today)}</span>
        <ArrowRight size={12} aria-label={t('becomes')} />
        <span className={item.different ? 'cut trial-different' : 'cut'}>
          {useOutcome(item.trial)}
        </span>
      </span>
    </li>
  )
}

function useOutcome(outcome: TrialItem['today']): string {
  const t = useText(messages)
  const { case_group: group, new_case: number } = outcome
  if (outcome.outcome === 'case') {
    if (number !== undefined) return t('outcome_new_case', { group: group ?? '', number })
    return t('outcome_case', { group: group ?? '' })
  }
  if (outcome.outcome === 'held') return t('outcome_held', { group: group ?? '' })
  return t(`outcome_${outcome.outcome}`)
}
