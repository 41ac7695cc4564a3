// Case groups in the order in which they are tried. A group is moved by dragging its handle, or by
// the arrow keys on it; J and K move the group that has the focus.

import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { GripVertical, Lock, Workflow } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { queryClient } from '../../data/query-client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge, SeverityBadge } from '../../parts/badges.tsx'
import { playbooksQuery } from '../playbooks/data.ts'
import { type CaseGroup, caseGroupsQuery, DEFAULT_GROUP } from './data.ts'
import { messages as editorMessages } from './editor-messages.ts'
import { messages } from './messages.ts'

export interface GroupListProps {
  readonly groups: readonly CaseGroup[]
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

interface Move {
  readonly id: string
  /** Places among the groups, from 0. */
  readonly from: number
  readonly to: number
}

export function GroupList({ groups, openId, onOpen }: GroupListProps) {
  const t = useText(messages)
  const mayWrite = useMay('rules:write')
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const move = useMove(groups)
  const last = groups.findIndex(({ id }) => id === DEFAULT_GROUP)
  const moveTo = (id: string, to: number): void => {
    const from = groups.findIndex((group) => group.id === id)
    const place = Math.max(0, Math.min((last < 0 ? groups.length : last) - 1, to))
    if (!mayWrite || id === DEFAULT_GROUP || from < 0 || from === place) return
    move.mutate({ id, from, to: place })
    setSaid(t('moved_to', { name: groups[from]?.name ?? id, place: place + 1 }))
    // A moved element loses the focus.
    requestAnimationFrame(() => document.getElementById(handleId(id))?.focus())
  }
  useGroupKeys(groups, moveTo)
  return (
    <>
      <ol className="groups" aria-label={t('groups')}>
        {groups.map((group, index) => (
          <GroupRow
            key={group.id}
            group={group}
            place={index}
            isOpen={group.id === openId}
            isOver={over === index && dragged !== null && dragged !== group.id}
            isAfter={groups.findIndex(({ id }) => id === dragged) < index}
            onOpen={() => onOpen(group.id)}
            onMove={(to) => moveTo(group.id, to)}
            onDrag={setDragged}
            onOver={() => setOver(index)}
            onDrop={() => {
              if (dragged !== null) moveTo(dragged, index)
              setDragged(null)
              setOver(null)
            }}
          />
        ))}
      </ol>
      <span className="hidden-text" role="status">
        {said}
      </span>
    </>
  )
}

function sendMove({ id, to }: Pick<Move, 'id' | 'to'>): Promise<CaseGroup> {
  return casework.patch('/beta/casework/case-groups/{groupId}', {
    params: { path: { groupId: id } },
    body: { order: to + 1 },
  })
}

function useMove(groups: readonly CaseGroup[]) {
  const t = useText(messages)
  return useAct({
    act: (given: Move) => sendMove(given),
    touches: () => [caseGroupsQuery.queryKey],
    expect: ({ id, to }) => {
      queryClient.setQueryData(caseGroupsQuery.queryKey, (page) =>
        page === undefined ? page : { ...page, items: reorder(page.items, id, to) },
      )
    },
    say: ({ id, to }) =>
      t('moved_to', { name: groups.find((one) => one.id === id)?.name ?? id, place: to + 1 }),
    undo:
      ({ id, from }) =>
      () =>
        sendMove({ id, to: from }),
  })
}

function reorder<One extends { readonly id: string }>(
  all: readonly One[],
  id: string,
  to: number,
): One[] {
  const moved = all.filter((one) => one.id === id)
  const others = all.filter((one) => one.id !== id)
  return [...others.slice(0, to), ...moved, ...others.slice(to)]
}

function handleId(id: string): string {
  return `group-handle-${id}`
}

function nameId(id: string): string {
  return `group-name-${id}`
}

function useGroupKeys(
  groups: readonly CaseGroup[],
  moveTo: (id: string, to: number) => void,
): void {
  const t = useText(messages)
  const findAt = (): number =>
    groups.findIndex(
      ({ id }) =>
        document.activeElement?.id === nameId(id) || document.activeElement?.id === handleId(id),
    )
  const focus = (to: number): void => {
    const group = groups[Math.max(0, Math.min(groups.length - 1, to))]
    if (group !== undefined) document.getElementById(nameId(group.id))?.focus()
  }
  const shift = (by: number): void => {
    const at = findAt()
    const group = groups[at]
    if (group !== undefined) moveTo(group.id, at + by)
  }
  useKeys(t('groups'), [
    { keys: 'j', title: t('key_next'), run: () => focus(findAt() + 1) },
    { keys: 'k', title: t('key_former'), run: () => focus(findAt() - 1) },
    { keys: 'J', title: t('key_move_down'), run: () => shift(1) },
    { keys: 'K', title: t('key_move_up'), run: () => shift(-1) },
  ])
}

interface GroupRowProps {
  readonly group: CaseGroup
  readonly place: number
  readonly isOpen: boolean
  readonly isOver: boolean
  readonly isAfter: boolean
  readonly onOpen: () => void
  readonly onMove: (to: number) => void
  readonly onDrag: (id: string | null) => void
  readonly onOver: () => void
  readonly onDrop: () => void
}

function GroupRow(props: GroupRowProps) {
  const { group, place, isOpen, isOver, isAfter, onOpen, onOver, onDrop } = props
  const t = useText(messages)
  const te = useText(editorMessages)
  const { threshold, severity, playbook_id: playbookId } = group
  const playbooks = useQuery({ ...playbooksQuery, enabled: useMay('playbooks:read') })
  const side = isAfter ? 'after' : 'before'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the name is the way by keyboard, the handle moves
    <li
      className="group"
      data-open={isOpen ? '' : undefined}
      data-off={group.enabled ? undefined : ''}
      data-drop={isOver ? side : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        onOver()
      }}
      onDrop={(event) => {
        event.preventDefault()
        onDrop()
      }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('button, label') === null) {
          onOpen()
        }
      }}
    >
      <Handle {...props} />
      <span className="group-place number dim">{place + 1}</span>
      <div className="group-words">
        <div className="row-of">
          <button type="button" id={nameId(group.id)} className="group-name cut" onClick={onOpen}>
            {group.name}
          </button>
          {threshold !== undefined && (
            <Badge tone="grey">{t('threshold_short', { events: threshold.events })}</Badge>
          )}
          {playbookId !== undefined && (
            <Badge tone="violet" icon={Workflow}>
              {playbooks.data?.find(({ id }) => id === playbookId)?.name ?? te('playbook')}
            </Badge>
          )}
        </div>
        <div className="dim small group-takes">
          <Takes group={group} />
        </div>
      </div>
      <span className="group-key dim small cut">
        {group.key_fields.map((field) => te(`key_${field}`)).join(' + ')}
      </span>
      <span className="group-severity">
        {severity !== undefined && <SeverityBadge severity={severity} />}
      </span>
      <Enabled group={group} />
    </li>
  )
}

function Takes({ group }: { readonly group: CaseGroup }) {
  const t = useText(messages)
  const te = useText(editorMessages)
  const { condition, xarf_classes: classes } = group
  if (condition === undefined && classes === undefined) return <span>{t('takes_all')}</span>
  return (
    <>
      {classes !== undefined && (
        <span className="group-classes">
          {classes.map((one) => te(`class_${one}`)).join(', ')}
          {condition !== undefined && ' · '}
        </span>
      )}
      {condition !== undefined && <span className="cut mono">{condition}</span>}
    </>
  )
}

function Handle({ group, place, onMove, onDrag }: GroupRowProps) {
  const t = useText(messages)
  const mayWrite = useMay('rules:write')
  if (group.id === DEFAULT_GROUP || !mayWrite) {
    return (
      <span className="group-handle" title={t('stays_last')}>
        {group.id === DEFAULT_GROUP && <Lock size={14} className="dim" aria-hidden />}
      </span>
    )
  }
  const start = (event: DragEvent<HTMLButtonElement>): void => {
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', group.id)
    const row = event.currentTarget.closest('li')
    if (row !== null) event.dataTransfer.setDragImage(row, 16, 16)
    onDrag(group.id)
  }
  return (
    <button
      type="button"
      id={handleId(group.id)}
      className="group-handle"
      aria-label={t('move', { name: group.name })}
      title={t('move_how')}
      draggable
      onDragStart={start}
      onDragEnd={() => onDrag(null)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        onMove(place + (event.key === 'ArrowUp' ? -1 : 1))
      }}
    >
      <GripVertical size={16} aria-hidden />
    </button>
  )
}

function sendEnabled(group: CaseGroup, enabled: boolean): Promise<CaseGroup> {
  return casework.patch('/beta/casework/case-groups/{groupId}', {
    params: { path: { groupId: group.id } },
    body: { enabled },
  })
}

/** Switches a group on or off at once, with Undo. */
export function useEnable() {
  const t = useText(messages)
  return useAct({
    act: (group: CaseGroup) => sendEnabled(group, !group.enabled),
    touches: () => [['case-groups']],
    expect: (group) => {
      queryClient.setQueryData(caseGroupsQuery.queryKey, (page) =>
        page === undefined
          ? page
          : {
              ...page,
              items: page.items.map((one) =>
                one.id === group.id ? { ...one, enabled: !group.enabled } : one,
              ),
            },
      )
    },
    say: ({ name, enabled }) => t(enabled ? 'disabled_done' : 'enabled_done', { name }),
    undo: (group) => () => sendEnabled(group, group.enabled),
  })
}

function Enabled({ group }: { readonly group: CaseGroup }) {
  const t = useText(messages)
  const mayWrite = useMay('rules:write')
  const enable = useEnable()
  if (group.id === DEFAULT_GROUP) {
    return <span className="group-switch dim small">{t('always')}</span>
  }
  if (!mayWrite) {
    return <span className="group-switch dim small">{t(group.enabled ? 'on' : 'off')}</span>
  }
  return (
    <Switch
      className="group-switch"
      aria-label={t('enabled_named', { name: group.name })}
      checked={group.enabled}
      onChange={() => enable.mutate(group)}
    />
  )
}
