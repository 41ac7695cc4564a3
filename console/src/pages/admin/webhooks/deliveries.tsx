// The deliveries of a webhook, the newest first.

import { Button, SegmentedControl } from '@mantine/core'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { casework } from '../../../data/client.ts'
import { useAct } from '../../../data/use-act.ts'
import { useFormat } from '../../../messages/use-format.ts'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import { Loading } from '../../../parts/loading.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { Since } from '../../../parts/since.tsx'
import { useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'

type Delivery = Schemas['Delivery']
type State = Schemas['DeliveryState']

const STATES = {
  delivered: ['green', CircleCheck],
  waiting: ['blue', Clock],
  dead: ['red', CircleX],
} as const

const STATE_NAMES = ['delivered', 'waiting', 'dead'] as const

export function DeliveryBadge({ state }: { readonly state: State }) {
  const t = useText(messages)
  const [tone, icon] = STATES[state]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`delivery_${state}`)}
    </Badge>
  )
}

function deliveriesQuery(webhookId: string, state: State | undefined) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', webhookId, 'deliveries', state],
    queryFn: ({ pageParam }) =>
      casework.get('/beta/webhooks/{webhookId}/deliveries', {
        params: {
          path: { webhookId },
          query: {
            limit: 50,
            ...(state === undefined ? {} : { state }),
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => (next === '' ? undefined : next),
  })
}

// What was given up earlier is no longer kept.
const REPLAY_MS = 30 * 86_400_000

export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const t = useText(messages)
  const { search, set } = useAdmin()
  const state = STATE_NAMES.find((one) => one === search.state)
  const query = useInfiniteQuery(deliveriesQuery(webhookId, state))
  const path = { webhookId }
  const touches = () => [['webhooks', webhookId, 'deliveries']]
  const test = useAct({
    act: () => casework.post('/beta/webhooks/{webhookId}/test', { params: { path } }),
    touches,
    say: () => t('tested'),
  })
  const replay = useAct({
    act: () =>
      casework.post('/beta/webhooks/{webhookId}/replay', {
        params: { path },
        body: { since: new Date(Date.now() - REPLAY_MS).toISOString() },
      }),
    touches,
    say: (_given, { replayed: count }) => t('replayed_dead', { count }),
  })
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <div className="stack">
      <div className="panel-buttons">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
          {t('test')}
        </Button>
        <Button
          variant="default"
          loading={replay.isPending}
          onClick={() => replay.mutate(undefined)}
        >
          {t('replay_dead')}
        </Button>
      </div>
      <SegmentedControl
        aria-label={t('state')}
        value={state ?? 'all'}
        data={[
          { value: 'all', label: t('all') },
          ...STATE_NAMES.map((value) => ({ value, label: t(`delivery_${value}`) })),
        ]}
        onChange={(next) => set({ state: next === 'all' ? undefined : next }, true)}
      />
      {query.error !== null && items === undefined && (
        <Problem error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading lines={6} />}
      {items?.length === 0 && <div className="dim">{t('deliveries_none')}</div>}
      <ul className="rows">
        {items?.map((one) => (
          <DeliveryRow key={one.id} delivery={one} onOpen={() => set({ delivery: one.id })} />
        ))}
      </ul>
      {query.isFetchNextPageError && (
        <Problem error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
      {query.hasNextPage && !query.isFetchNextPageError && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </div>
  )
}

interface RowProps {
  readonly delivery: Delivery
  readonly onOpen: () => void
}

function DeliveryRow({ delivery, onOpen }: RowProps) {
  const t = useText(messages)
  const format = useFormat()
  const { type, state, created_at: at, attempts, last_status: status, last_failure: why } = delivery
  const outcome = status === undefined ? why : String(status)
  return (
    <li>
      <button
        type="button"
        className="row-button"
        aria-label={t('open_delivery', { type, when: format.time(new Date(at)) })}
        onClick={onOpen}
      >
        <span className="rows-words">
          <span className="mono cut row-block">{type}</span>
          <span className="dim small cut row-block">
            <Since at={at} /> · {t('attempts', { count: attempts })}
            {outcome !== undefined && ` · ${outcome}`}
          </span>
        </span>
        <DeliveryBadge state={state} />
      </button>
    </li>
  )
}
