// Takes chosen events out of the case into a new one, and says how many go and how many stay.

import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Since } from '../../parts/since.tsx'
import { DialogActs, DialogFrame } from '../cases/shared/act-dialog.tsx'
import type { DialogProps } from './deadline-dialog.tsx'
import { merge } from './merge-dialog.tsx'
import { messages } from './messages.ts'

const PAGE = 200
// The bound of the interface for one split.
const CHOSEN_MAX = 1_000

interface Split {
  readonly ids: readonly string[]
  readonly reason: string
}

export function SplitDialog({ detail, onClose }: DialogProps) {
  const t = useText(messages)
  const maySee = useMay('events:read')
  return (
    <DialogFrame title={t('act_split')} onClose={onClose}>
      {maySee ? <SplitForm detail={detail} onClose={onClose} /> : <NoPermission error={null} />}
    </DialogFrame>
  )
}

function SplitForm({ detail, onClose }: DialogProps) {
  const t = useText(messages)
  const navigate = useNavigate()
  const [type, setType] = useState<string | null>(null)
  const [item, setItem] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  const list = useInfiniteQuery({
    queryKey: ['events', 'list', 'to split', detail.id],
    initialPageParam: '',
    queryFn: ({ pageParam: cursor }) =>
      casework.get('/beta/casework/events', {
        params: {
          query: { case_id: detail.id, limit: PAGE, ...(cursor === '' ? {} : { cursor }) },
        },
      }),
    getNextPageParam: ({ next_cursor: cursor }) => (cursor === '' ? undefined : cursor),
  })
  const act = useAct<Split, { readonly id: string }>({
    act: ({ ids, reason: words }) =>
      casework.post('/beta/casework/cases/{caseId}/split', {
        params: { path: { caseId: detail.id } },
        body: { event_ids: [...ids], ...(words === '' ? {} : { reason: words }) },
      }),
    touches: () => [['cases'], ['events']],
    say: ({ ids }) => t('said_split', { count: ids.length }),
    undo:
      (_given, { id }) =>
      () =>
        merge('merge', { into: detail.id, from: id }),
    onDone({ id }) {
      onClose()
      void navigate({ to: '/cases/$caseId', params: { caseId: id } })
    },
  })
  const events = list.data?.pages.flatMap(({ items }) => items) ?? []
  const asked = item.trim().toLowerCase()
  const shown = events.filter(
    (one) =>
      (type === null || one.event_type === type) &&
      `${one.ip ?? ''} ${one.domain ?? ''} ${one.sender_email}`.toLowerCase().includes(asked),
  )
  const areAllChosen = shown.length > 0 && shown.every(({ event_id: id }) => chosen.has(id))
  const set = (ids: readonly string[], isChosen: boolean): void =>
    setChosen((former) => {
      const next = new Set(former)
      for (const id of ids) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      return next
    })
  const left = detail.event_count - chosen.size
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    act.mutate({ ids: [...chosen], reason: reason.trim() })
  }
  if (list.error !== null) {
    return <Problem error={list.error} onRetry={() => void list.refetch()} />
  }
  if (list.isLoading) return <Loading lines={6} />
  return (
    <form className="stack" onSubmit={submit}>
      <div className="split-filters">
        <Select
          label={t('type')}
          placeholder={t('all_types')}
          clearable
          data={[...detail.event_types]}
          value={type}
          onChange={setType}
        />
        <TextInput
          label={t('item_or_sender')}
          data-autofocus
          value={item}
          onChange={(event) => setItem(event.currentTarget.value)}
        />
      </div>
      <Checkbox
        label={t('choose_shown', { count: shown.length })}
        checked={areAllChosen}
        indeterminate={!areAllChosen && shown.some(({ event_id: id }) => chosen.has(id))}
        onChange={() =>
          set(
            shown.map(({ event_id: id }) => id),
            !areAllChosen,
          )
        }
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <div className="split-events" role="group" tabIndex={0} aria-label={t('events')}>
        {shown.map((one) => (
          <Checkbox
            key={one.event_id}
            checked={chosen.has(one.event_id)}
            onChange={(event) => set([one.event_id], event.currentTarget.checked)}
            label={
              <>
                {one.event_type} <span className="mono">{one.ip ?? one.domain}</span>
              </>
            }
            description={
              <>
                <Since at={one.event_date} /> · {one.sender_email}
              </>
            }
          />
        ))}
        {list.hasNextPage && (
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('older')}
          </Button>
        )}
      </div>
      <TextInput
        label={t('reason_optional')}
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className="dim" role="status">
        {chosen.size === 0 ? t('split_none') : t('split_why', { count: chosen.size, left })}
        {left === 0 && ` ${t('split_leaves_none')}`}
      </div>
      <FormProblem error={act.error} />
      <DialogActs onClose={onClose}>
        <Button
          type="submit"
          disabled={chosen.size === 0 || left === 0 || chosen.size > CHOSEN_MAX}
          loading={act.isPending}
        >
          {t('split_off', { count: chosen.size })}
        </Button>
      </DialogActs>
    </form>
  )
}
