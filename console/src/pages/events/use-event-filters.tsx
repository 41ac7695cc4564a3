// The filters of the list of events.

import { useText } from '../../messages/use-text.ts'
import { EVENT_TYPES } from '../../parts/event-types.ts'
import type { Filter } from '../../parts/filter-bar.tsx'
import { CustomerField, DaysField, TextField } from '../cases/filter-fields.tsx'
import { useSpanTitle } from '../cases/use-span-title.ts'
import { CAUSES, type EventFilters } from './events-search.ts'
import { messages } from './messages.ts'

const SPANS = ['24h', '168h', '720h'] as const
const TYPED = [
  ['item', 'item_hint'],
  ['sender_email', 'sender_hint'],
  ['text', 'text_hint'],
  ['case_id', 'case_hint'],
  ['report_id', 'report_hint'],
] as const

export function useEventFilters(filters: EventFilters): readonly Filter[] {
  const t = useText(messages)
  const saySpan = useSpanTitle('created')
  const [item, ...rest] = TYPED.map(
    ([name, hint]): Filter => ({
      name,
      title: t(name),
      choices: [],
      values: one(filters[name]),
      field: (given) => <TextField {...given} label={t(name)} hint={t(hint)} />,
    }),
  )
  const cause: Filter = {
    name: 'cause',
    title: t('cause'),
    isSingle: true,
    choices: CAUSES.map((value) => ({ value, title: t(`cause_${value}`) })),
    values: one(filters.cause),
  }
  return [
    ...(filters.tab === 'unassigned' ? [cause] : []),
    {
      name: 'event_type',
      title: t('event_type'),
      choices: EVENT_TYPES.map((value) => ({ value, title: value })),
      values: filters.event_type ?? [],
    },
    ...(item === undefined ? [] : [item]),
    {
      name: 'at',
      title: t('at'),
      isSingle: true,
      choices: SPANS.map((value) => ({ value, title: saySpan(value) })),
      values: one(filters.at),
      say: saySpan,
      field: (given) => <DaysField {...given} />,
    },
    {
      name: 'customer_id',
      title: t('customer_id'),
      choices: [],
      values: one(filters.customer_id),
      field: (given) => <CustomerField {...given} label={t('customer_id')} />,
    },
    ...rest,
  ]
}

function one(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value]
}
