// How many notices one recipient gets in a day, and the digest that takes up the rest.

import { Button, NumberInput, Select, Switch } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { limitsQuery, type NoticeLimits, noticesQuery } from './data.ts'
import { messages } from './messages.ts'

const LIMITED = ['notice', 'reminder', 'receipt', 'outcome'] as const

export function LimitsTab() {
  const limits = useQuery(limitsQuery)
  // What somebody has set here stays when the answer cannot be renewed.
  if (limits.error !== null && limits.data === undefined) {
    return (
      <div className="notice-pad">
        <Problem error={limits.error} onRetry={() => void limits.refetch()} />
      </div>
    )
  }
  if (limits.data === undefined) return <Loading />
  return <LimitsForm limits={limits.data} />
}

interface LimitsChange {
  readonly next: NoticeLimits
  /** Those that are stored now, to which Undo goes back. */
  readonly former: NoticeLimits
}

function putLimits(body: NoticeLimits): Promise<NoticeLimits> {
  return casework.put('/beta/casework/notice-limits', { body })
}

function LimitsForm({ limits }: { readonly limits: NoticeLimits }) {
  const t = useText(messages)
  const mayWrite = useMay('playbooks:write')
  const [draft, setDraft] = useState(limits)
  const save = useAct({
    act: ({ next }: LimitsChange) => putLimits(next),
    touches: () => [limitsQuery.queryKey],
    say: () => t('limits_saved'),
    undo:
      ({ former }) =>
      async () => {
        await putLimits(former)
        setDraft(former)
      },
  })
  const { digest } = draft
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div className="limits" tabIndex={0} role="group" aria-label={t('limits')}>
      <p className="dim notice-lede">{t('limits_lede')}</p>
      <FormProblem error={save.error} />
      <Switch
        label={t('limits_on')}
        checked={draft.is_on}
        disabled={!mayWrite}
        onChange={() => setDraft({ ...draft, is_on: !draft.is_on })}
      />
      <div className="limit-list">
        {LIMITED.map((purpose) => (
          <LimitRow
            key={purpose}
            purpose={purpose}
            draft={draft}
            onChange={setDraft}
            isReadOnly={!mayWrite || !draft.is_on}
          />
        ))}
      </div>
      <div className="limit-digest">
        <Select
          label={t('digest_hour')}
          value={String(digest.hour)}
          data={Array.from({ length: 24 }, (_, hour) => ({
            value: String(hour),
            label: `${String(hour).padStart(2, '0')}:00`,
          }))}
          allowDeselect={false}
          disabled={!mayWrite}
          onChange={(value) => setDraft({ ...draft, digest: { ...digest, hour: Number(value) } })}
        />
        <Select
          label={t('time_zone')}
          value={digest.time_zone}
          data={[...new Set([digest.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          searchable
          allowDeselect={false}
          limit={60}
          disabled={!mayWrite}
          error={fieldProblem(save.error, '/digest/time_zone')}
          onChange={(value) =>
            setDraft({ ...draft, digest: { ...digest, time_zone: value ?? digest.time_zone } })
          }
        />
      </div>
      <p className="dim notice-lede">{t('digest_why')}</p>
      <Held />
      {mayWrite && (
        <div>
          <Button
            loading={save.isPending}
            onClick={() => save.mutate({ next: draft, former: limits })}
          >
            {t('save_limits')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface LimitRowProps {
  readonly purpose: (typeof LIMITED)[number]
  readonly draft: NoticeLimits
  readonly onChange: (draft: NoticeLimits) => void
  readonly isReadOnly: boolean
}

const LIMIT_MAX = 1_000

function LimitRow({ purpose, draft, onChange, isReadOnly }: LimitRowProps) {
  const t = useText(messages)
  const limit = draft.limits[purpose]
  const title = t(`purpose_${purpose}`)
  const { [purpose]: _own, ...others } = draft.limits
  const set = (part: Partial<{ case_day: number; recipient_day: number }>): void =>
    onChange({
      ...draft,
      limits: { ...others, [purpose]: { case_day: 1, recipient_day: 5, ...limit, ...part } },
    })
  return (
    <fieldset className="limit">
      <legend className="hidden-text">{title}</legend>
      <Switch
        label={title}
        aria-label={t('limit_of', { purpose: title })}
        checked={limit !== undefined}
        disabled={isReadOnly}
        onChange={() =>
          limit === undefined ? set({}) : onChange({ ...draft, limits: { ...others } })
        }
      />
      {limit === undefined ? (
        <span className="dim">{t('not_limited')}</span>
      ) : (
        (['case_day', 'recipient_day'] as const).map((name) => (
          <NumberInput
            key={name}
            label={t(name)}
            value={limit[name]}
            min={0}
            max={LIMIT_MAX}
            allowDecimal={false}
            disabled={isReadOnly}
            onChange={(value) => {
              if (typeof value === 'number') set({ [name]: value })
            }}
          />
        ))
      )}
    </fieldset>
  )
}

/** What the limits hold back at present. */
function Held() {
  const t = useText(messages)
  const held = useInfiniteQuery({
    ...noticesQuery({ state: 'held' }),
    enabled: useMay('cases:read'),
  })
  const first = held.data?.pages[0]
  if (first === undefined) return null
  const count = first.items.filter(({ reason }) => reason === 'throttled').length
  return (
    <div className="row-of">
      <span>{t('limits_preview', { count })}</span>
      {count > 0 && (
        <Link to="/notices" search={{ state: 'held' }}>
          {t('see_held')}
        </Link>
      )}
    </div>
  )
}
