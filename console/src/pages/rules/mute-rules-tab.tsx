// Mute rules: a table, and the panel of one with the end of it.

import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleStop, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useFormat } from '../../messages/use-format.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge } from '../../parts/badges.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FirstPageOnly } from '../../parts/first-only.tsx'
import { mustShowFailure, Problem } from '../../parts/problem.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Since } from '../../parts/since.tsx'
import { type MuteRule, muteHistoryQuery, muteRulesQuery } from './data.ts'
import { messages as editorMessages } from './editor-messages.ts'
import { KEY_FIELDS } from './group-draft.ts'
import { messages } from './messages.ts'
import { rulesRoute } from './route.ts'
import { RuleHistory } from './rule-history.tsx'

export function MuteRulesTab() {
  const t = useText(messages)
  const { open, ended } = rulesRoute.useSearch()
  const navigate = useNavigate({ from: rulesRoute.fullPath })
  const rules = useQuery(muteRulesQuery(ended === 'shown'))
  const columns = useColumns()
  const mayWrite = useMay('rules:write')
  if (mustShowFailure(rules)) {
    return <Problem error={rules.error} onRetry={() => void rules.refetch()} />
  }
  return (
    <section className="rules-table" aria-label={t('mute')}>
      <Checkbox
        label={t('show_ended')}
        checked={ended === 'shown'}
        onChange={() =>
          void navigate({
            search: (former) => ({ ...former, ended: ended === 'shown' ? undefined : 'shown' }),
            replace: true,
          })
        }
      />
      <FirstPageOnly page={rules.data} />
      <DataTable
        label={t('mute')}
        rows={rules.data?.items ?? []}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ reason }) => reason}
        openId={open}
        onOpen={({ id }) => void navigate({ search: (former) => ({ ...former, open: id }) })}
        isLoading={rules.data === undefined}
        empty={
          <EmptyState
            title={t('mute_empty')}
            text={t('mute_empty_why')}
            command={`npx casework mute try --mute-rule '{"key": {"ip": "192.0.2.7"}}'`}
          >
            {mayWrite && (
              <Button component={Link} to="/rules/new-mute-rule">
                {t('new_mute')}
              </Button>
            )}
          </EmptyState>
        }
      />
    </section>
  )
}

function useColumns(): readonly Column<MuteRule>[] {
  const t = useText(messages)
  return [
    {
      id: 'reason',
      title: t('reason'),
      width: 'minmax(200px, 1.2fr)',
      narrow: 'first',
      cell: ({ reason }) => reason,
    },
    {
      id: 'matches',
      title: t('matches'),
      width: 'minmax(220px, 1.5fr)',
      narrow: 'second',
      cell: (rule) => <Matches rule={rule} />,
    },
    {
      id: 'state',
      title: t('state'),
      width: '120px',
      narrow: 'first',
      cell: (rule) => <MuteState rule={rule} />,
    },
    {
      id: 'muted',
      title: t('muted'),
      width: '90px',
      isNumber: true,
      cell: ({ muted }) => <Count value={muted} />,
    },
    {
      id: 'until',
      title: t('until'),
      width: '140px',
      cell: ({ until, ended_at }) => <Since at={ended_at ?? until} />,
    },
  ]
}

function Count({ value }: { readonly value: number }) {
  return useFormat().number(value)
}

function MuteState({ rule }: { readonly rule: MuteRule }) {
  const t = useText(messages)
  return rule.in_force ? (
    <Badge tone="amber" icon={VolumeX}>
      {t('in_force')}
    </Badge>
  ) : (
    <Badge tone="grey" icon={CircleStop}>
      {t('ended')}
    </Badge>
  )
}

function Matches({ rule }: { readonly rule: MuteRule }) {
  const te = useText(editorMessages)
  const { key, condition } = rule
  if (condition !== undefined) return <span className="mono">{condition}</span>
  return (
    <>
      {KEY_FIELDS.filter((field) => key?.[field] !== undefined).map((field, index) => (
        <span key={field}>
          {index > 0 && ', '}
          <span className="dim">{te(`key_${field}`)}</span>{' '}
          <span className="mono">{key?.[field]}</span>
        </span>
      ))}
    </>
  )
}

/** Null when no rule is open. */
export function useMutePanel(open: string | undefined, onClose: () => void) {
  const { ended } = rulesRoute.useSearch()
  const rules = useQuery({
    ...muteRulesQuery(ended === 'shown'),
    enabled: open !== undefined,
  })
  const rule = rules.data?.items.find(({ id }) => id === open)
  return rule === undefined ? null : <MutePanel key={rule.id} rule={rule} onClose={onClose} />
}

function MutePanel({ rule, onClose }: { readonly rule: MuteRule; readonly onClose: () => void }) {
  const t = useText(messages)
  const mayWrite = useMay('rules:write')
  const [isEnding, setEnding] = useState(false)
  const history = useQuery(muteHistoryQuery(rule.id))
  const end = useAct({
    act: () =>
      casework.post('/beta/casework/mute-rules/{ruleId}/end', {
        params: { path: { ruleId: rule.id } },
      }),
    touches: () => [['mute-rules']],
    say: () => t('end_done'),
    onDone: () => setEnding(false),
  })
  return (
    <SidePanel
      title={rule.reason}
      onClose={onClose}
      acts={
        mayWrite &&
        rule.in_force && (
          <Button variant="default" onClick={() => setEnding(true)}>
            {t('end_rule')}
          </Button>
        )
      }
    >
      <div className="stack">
        <dl className="facts">
          <dt>{t('state')}</dt>
          <dd>
            <MuteState rule={rule} />
          </dd>
          <dt>{t('reason')}</dt>
          <dd>{rule.reason}</dd>
          <dt>{t('matches')}</dt>
          <dd>
            <Matches rule={rule} />
          </dd>
          <dt>{t('muted')}</dt>
          <dd>{t('muted_events', { count: rule.muted })}</dd>
          <dt>{t(rule.ended_at === undefined ? 'until' : 'ended')}</dt>
          <dd>
            <Since at={rule.ended_at ?? rule.until} />
          </dd>
          <dt>{t('created')}</dt>
          <dd>
            <Since at={rule.created_at} /> <span className="mono small">{rule.created_by}</span>
          </dd>
        </dl>
        <RuleHistory query={history} />
      </div>
      <Confirm
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        title={t('end_named', { reason: rule.reason })}
        act={t('end_rule')}
        onAct={() => end.mutate(undefined)}
        isPending={end.isPending}
      >
        <div>{t('end_effect', { count: rule.muted })}</div>
      </Confirm>
    </SidePanel>
  )
}
