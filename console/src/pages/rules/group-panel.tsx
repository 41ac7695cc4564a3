// One case group for reading, with its acts. Deleting says first which events would go elsewhere.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge, SeverityBadge } from '../../parts/badges.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Loading } from '../../parts/loading.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { playbooksQuery } from '../playbooks/data.ts'
import {
  type CaseGroup,
  DEFAULT_GROUP,
  groupHistoryQuery,
  openCasesQuery,
  trialQuery,
} from './data.ts'
import { splitSeconds } from './duration-field.tsx'
import { messages as editorMessages } from './editor-messages.ts'
import { useEnable } from './group-list.tsx'
import { messages } from './messages.ts'
import { RuleHistory } from './rule-history.tsx'

export interface GroupPanelProps {
  readonly group: CaseGroup
  readonly onClose: () => void
}

export function GroupPanel({ group, onClose }: GroupPanelProps) {
  const t = useText(messages)
  const navigate = useNavigate()
  const mayWrite = useMay('rules:write')
  const enable = useEnable()
  const [isDeleting, setDeleting] = useState(false)
  const history = useQuery(groupHistoryQuery(group.id))
  const path: string = `/rules/groups/${encodeURIComponent(group.id)}`
  const isDefault = group.id === DEFAULT_GROUP
  useKeys(
    t('groups'),
    mayWrite
      ? [
          {
            keys: 'e',
            title: t('key_edit'),
            run: () =>
              void navigate({ to: '/rules/groups/$groupId', params: { groupId: group.id } }),
          },
        ]
      : [],
  )
  return (
    <SidePanel
      title={group.name}
      onClose={onClose}
      acts={
        mayWrite && (
          <>
            <Button component={Link} to={path}>
              {t('edit')}
            </Button>
            {!isDefault && (
              <>
                <Button variant="default" onClick={() => enable.mutate(group)}>
                  {t(group.enabled ? 'disable' : 'enable')}
                </Button>
                <Button variant="default" onClick={() => setDeleting(true)}>
                  {t('delete')}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <div className="stack">
        {group.description !== '' && <p className="panel-text">{group.description}</p>}
        <GroupFacts group={group} />
        <RuleHistory query={history} />
      </div>
      {isDeleting && (
        <DeleteGroup group={group} onClose={() => setDeleting(false)} onDeleted={onClose} />
      )}
    </SidePanel>
  )
}

function useDuration(): (seconds: number) => string {
  const t = useText(messages)
  return (seconds) => {
    const { unit, count } = splitSeconds(seconds)
    return t(`duration_${unit}`, { count })
  }
}

function GroupFacts({ group }: { readonly group: CaseGroup }) {
  const t = useText(messages)
  const te = useText(editorMessages)
  const duration = useDuration()
  const playbooks = useQuery({ ...playbooksQuery, enabled: useMay('playbooks:read') })
  const { threshold, severity, max_gap_seconds: gap, max_age_seconds: age } = group
  const playbook = playbooks.data?.find(({ id }) => id === group.playbook_id)
  const window = group.relapse_window_seconds
  const severityWord = severity === undefined ? t('none') : te(`severity_${severity}`)
  return (
    <dl className="facts">
      <dt>{t('state')}</dt>
      <dd>
        <Badge tone={group.enabled ? 'green' : 'grey'}>{t(group.enabled ? 'on' : 'off')}</Badge>
      </dd>
      {group.condition !== undefined && (
        <>
          <dt>{t('takes')}</dt>
          <dd>
            <code className="condition mono">{group.condition}</code>
          </dd>
        </>
      )}
      {group.condition === undefined && group.xarf_classes === undefined && (
        <>
          <dt>{t('takes')}</dt>
          <dd>{t('takes_all')}</dd>
        </>
      )}
      {group.xarf_classes !== undefined && (
        <>
          <dt>{t('classes')}</dt>
          <dd>{group.xarf_classes.map((one) => te(`class_${one}`)).join(', ')}</dd>
        </>
      )}
      <dt>{t('shares')}</dt>
      <dd>{group.key_fields.map((field) => te(`key_${field}`)).join(', ')}</dd>
      <dt>{t('opens')}</dt>
      <dd>
        {threshold === undefined
          ? t('opens_first')
          : t('opens_at', { events: threshold.events, reporters: threshold.reporters ?? 1 })}
        {threshold?.window_seconds !== undefined &&
          ` ${t('within', { time: duration(threshold.window_seconds) })}`}
      </dd>
      <dt>{t('next_case')}</dt>
      <dd>
        {gap === undefined && age === undefined && t('next_never')}
        {gap !== undefined && <div>{t('next_gap', { time: duration(gap) })}</div>}
        {age !== undefined && <div>{t('next_age', { time: duration(age) })}</div>}
      </dd>
      <dt>{t('after_end')}</dt>
      <dd>
        {te(`relapse_${group.relapse}`)}
        {window !== undefined && `, ${t('within', { time: duration(window) })}`}
      </dd>
      <dt>{t('late')}</dt>
      <dd>{te(`late_${group.late_event}`)}</dd>
      <dt>{t('severity')}</dt>
      <dd>
        {group.severity_rules !== undefined &&
          t('by_rules', { count: group.severity_rules.length, severity: severityWord })}
        {group.severity_rules === undefined && severity === undefined && t('none')}
        {group.severity_rules === undefined && severity !== undefined && (
          <SeverityBadge severity={severity} />
        )}
      </dd>
      <dt>{t('playbook')}</dt>
      <dd>{playbook?.name ?? group.playbook_id ?? te('playbook_none')}</dd>
      <dt>{t('id')}</dt>
      <dd className="mono">{group.id}</dd>
    </dl>
  )
}

interface DeleteGroupProps {
  readonly group: CaseGroup
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Switching it off has the outcome of deleting it, for events that arrive from now on. */
function DeleteGroup({ group, onClose, onDeleted }: DeleteGroupProps) {
  const t = useText(messages)
  const { id, name } = group
  const trial = useQuery({
    ...trialQuery({ case_group: { id, enabled: false } }),
    enabled: useMay('events:read'),
  })
  const open = useQuery(openCasesQuery(id))
  const remove = useAct({
    act: () =>
      casework.delete('/beta/casework/case-groups/{groupId}', {
        params: { path: { groupId: id } },
      }),
    touches: () => [['case-groups']],
    say: () => t('deleted', { name }),
    onDone: () => {
      onClose()
      onDeleted()
    },
  })
  const openCount = open.data?.items.length ?? 0
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('delete_named', { name })}
      act={t('delete_named', { name })}
      onAct={() => remove.mutate(undefined)}
      isPending={remove.isPending}
    >
      {trial.isLoading || open.isLoading ? (
        <Loading lines={2} />
      ) : (
        <>
          {openCount > 0 ? (
            <div className="note" data-tone="amber">
              <span>{t('delete_open', { count: openCount })}</span>
            </div>
          ) : (
            <div>{t('delete_keeps')}</div>
          )}
          {trial.data !== undefined && (
            <div>{t('delete_effect', { count: trial.data.counts.different })}</div>
          )}
        </>
      )}
    </Confirm>
  )
}
