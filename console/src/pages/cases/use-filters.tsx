// The filters of the queue: what each is called, its choices or its field, and what stands in the
// URL.

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useText } from '../../messages/use-text.ts'
import type { Filter } from '../../parts/filter-bar.tsx'
import { messages as partMessages } from '../../parts/messages.ts'
import { caseGroupsQuery } from '../rules/data.ts'
import type { ListedCase } from './case-types.ts'
import { CustomerField, DaysField, TextField } from './filter-fields.tsx'
import { messages } from './messages.ts'
import {
  type QueueFilters,
  readStates,
  SEVERITIES,
  STATES,
  type TextFilter,
  WAITING_ON,
  writeStates,
} from './queue-search.ts'
import { useAssignees } from './shared/assignee-list.tsx'
import { messages as sharedMessages } from './shared/messages.ts'
import { useSpanTitle } from './use-span-title.ts'

const DUE = ['0h', 'today', '24h', '72h', '168h'] as const
const CREATED = ['24h', '168h', '720h'] as const

export function useFilters(search: QueueFilters, rows: readonly ListedCase[]): readonly Filter[] {
  const t = useText(messages)
  const tp = useText(partMessages)
  const ts = useText(sharedMessages)
  const sayDue = useSpanTitle('due')
  const sayCreated = useSpanTitle('created')
  const assignees = useAssigneeChoices(search.assignee)
  const groups = useGroupChoices(search.group)
  const types = useMemo(() => listTypes(rows), [rows])
  const tags = useMemo(() => listTags(rows), [rows])
  const typed = (name: TextFilter, hint?: string, known?: readonly string[]): Filter => ({
    name,
    title: t(name),
    choices: [],
    values: one(search[name]),
    field: (given) => <TextField {...given} label={t(name)} hint={hint} known={known} />,
  })
  return [
    {
      name: 'state',
      title: t('state'),
      choices: STATES.map((value) => ({ value, title: tp(`state_${value}`) })),
      values: readStates(search),
    },
    {
      name: 'severity',
      title: t('severity'),
      isSingle: true,
      choices: SEVERITIES.map((value) => ({ value, title: tp(`severity_${value}`) })),
      values: one(search.severity),
    },
    {
      name: 'assignee',
      title: t('assignee'),
      isSingle: true,
      choices: [
        { value: 'me', title: t('me') },
        { value: 'none', title: t('nobody') },
        ...assignees,
      ],
      values: one(search.assignee),
    },
    {
      name: 'waiting',
      title: t('waiting'),
      isSingle: true,
      choices: WAITING_ON.map((value) => ({ value, title: ts(`waiting_${value}`) })),
      values: one(search.waiting),
    },
    {
      name: 'due',
      title: t('due'),
      isSingle: true,
      choices: DUE.map((value) => ({ value, title: sayDue(value) })),
      values: one(search.due),
      say: sayDue,
      field: (given) => <DaysField {...given} />,
    },
    {
      name: 'customer',
      title: t('customer'),
      choices: [],
      values: one(search.customer),
      say: (id) => nameCustomer(id, rows),
      field: (given) => <CustomerField {...given} label={t('customer')} />,
    },
    typed('item', t('item_hint')),
    typed('type', t('type_hint'), types),
    typed('reporter', t('reporter_hint')),
    typed('tag', undefined, tags),
    typed('text', t('text_hint')),
    {
      name: 'group',
      title: t('group'),
      isSingle: true,
      choices: groups,
      values: one(search.group),
    },
    {
      name: 'created',
      title: t('created'),
      isSingle: true,
      choices: CREATED.map((value) => ({ value, title: sayCreated(value) })),
      values: one(search.created),
      say: sayCreated,
      field: (given) => <DaysField {...given} />,
    },
  ]
}

/** What a change of one filter makes of the URL. */
export function changeFilter(name: string, values: readonly string[]): QueueFilters {
  if (name === 'state') return { state: writeStates(values) }
  return { [name]: values[0] }
}

function one(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value]
}

function useAssigneeChoices(chosen: string | undefined) {
  const { data = [] } = useAssignees()
  const choices = data.map(({ id, name }) => ({ value: id, title: name }))
  const isKnown = ['me', 'none', undefined, ...data.map(({ id }) => id)].includes(chosen)
  return isKnown || chosen === undefined ? choices : [...choices, { value: chosen, title: chosen }]
}

function useGroupChoices(chosen: string | undefined) {
  const { data: groups } = useQuery({ ...caseGroupsQuery, staleTime: 5 * 60_000 })
  const data = groups?.items ?? []
  const choices = data.map(({ id, name }) => ({ value: id, title: name }))
  const isKnown = chosen === undefined || data.some(({ id }) => id === chosen)
  return isKnown ? choices : [...choices, { value: chosen, title: chosen }]
}

function nameCustomer(id: string, rows: readonly ListedCase[]): string {
  return rows.find((row) => row.customer_id === id)?.summary?.customer_name ?? id
}

// A page of rows names the types and tags that are worth a suggestion.
const READ_ROWS_MAX = 200

function listTypes(rows: readonly ListedCase[]): readonly string[] {
  return unique(rows.slice(0, READ_ROWS_MAX).flatMap(({ summary }) => summary?.event_types ?? []))
}

function listTags(rows: readonly ListedCase[]): readonly string[] {
  return unique(rows.slice(0, READ_ROWS_MAX).flatMap(({ summary }) => summary?.tags ?? []))
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}
