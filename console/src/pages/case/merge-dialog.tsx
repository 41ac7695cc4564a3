// Merges another case into this one, or this one into it. It is found by search; the other open
// cases of the customer are offered first.

import { Button, Radio, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useDeferredValue, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { shortId } from '../../parts/short-id.ts'
import { Since } from '../../parts/since.tsx'
import { describeCase } from '../cases/columns.tsx'
import { DialogActs, DialogFrame } from '../cases/shared/act-dialog.tsx'
import { messages as sharedMessages } from '../cases/shared/messages.ts'
import type { CaseDetail } from './data.ts'
import type { DialogProps } from './deadline-dialog.tsx'
import { messages } from './messages.ts'

interface Found {
  readonly id: string
  readonly title: string
  readonly at: string
}

const FOUND_MAX = 20
const LETTERS_MIN = 2

/** Cases that the text finds; without one, the open ones of the customer. */
function useMergeable(detail: CaseDetail, text: string) {
  const asked = text.trim()
  return useQuery({
    queryKey: ['cases', 'to merge', detail.id, asked.length < LETTERS_MIN ? '' : asked],
    queryFn: async (): Promise<readonly Found[]> => {
      if (asked.length < LETTERS_MIN) {
        const { items } = await casework.get('/beta/casework/cases', {
          params: {
            query: {
              customer_id: detail.customer_id,
              state: 'NEW,IN_PROGRESS',
              expand: 'summary',
              limit: FOUND_MAX,
            },
          },
        })
        return items.map((row) => ({
          id: row.id,
          title: describeCase(row),
          at: row.last_event_date,
        }))
      }
      const { items } = await casework.get('/beta/casework/search', {
        params: { query: { q: asked, kind: 'case', limit: FOUND_MAX } },
      })
      return items.map(({ id, title, at }) => ({ id, title, at }))
    },
    placeholderData: (former) => former,
    select: (found) => found.filter(({ id }) => id !== detail.id),
  })
}

interface Merge {
  readonly into: string
  readonly from: string
}

export function MergeDialog({ detail, onClose }: DialogProps) {
  const t = useText(messages)
  const ts = useText(sharedMessages)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const [way, setWay] = useState<'here' | 'there'>('here')
  const found = useMergeable(detail, useDeferredValue(text))
  const act = useAct<Merge, unknown>({
    act: (given) => merge('merge', given),
    touches: () => [['cases'], ['events']],
    say: () => ts('said_merged', { count: 1 }),
    undo: (given) => () => merge('unmerge', given),
    onDone: (_result, { into }) => {
      if (into === detail.id) return
      void navigate({ to: '/cases/$caseId', params: { caseId: into } })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen === '') return
    onClose()
    act.mutate(
      way === 'here' ? { into: detail.id, from: chosen } : { into: chosen, from: detail.id },
    )
  }
  const rows = found.data ?? []
  return (
    <DialogFrame title={t('title_merge')} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextInput
          label={t('find_case')}
          placeholder={t('find_case_hint')}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {found.error !== null && (
          <Problem error={found.error} onRetry={() => void found.refetch()} />
        )}
        {found.isLoading && <Loading lines={3} />}
        {found.isSuccess && rows.length === 0 && (
          <div className="dim">{t(text.trim() === '' ? 'no_other_open' : 'no_case_found')}</div>
        )}
        {rows.length > 0 && (
          <Radio.Group
            label={t('found_cases')}
            value={chosen}
            onChange={setChosen}
            className="merge-found"
          >
            {rows.map(({ id, title, at }) => (
              <Radio
                key={id}
                value={id}
                label={title}
                description={
                  <>
                    <span className="mono">{shortId(id)}</span> · <Since at={at} />
                  </>
                }
              />
            ))}
          </Radio.Group>
        )}
        {chosen !== '' && (
          <Radio.Group
            label={t('merge_way')}
            value={way}
            onChange={(value) => setWay(value === 'there' ? 'there' : 'here')}
          >
            <div className="stack merge-ways">
              <Radio value="here" label={t('merge_here')} />
              <Radio value="there" label={t('merge_there')} />
            </div>
          </Radio.Group>
        )}
        <div className="dim">{t(`merge_${way}_why`, { count: detail.event_count })}</div>
        <DialogActs onClose={onClose}>
          <Button type="submit" disabled={chosen === ''}>
            {t('act_merge_two')}
          </Button>
        </DialogActs>
      </form>
    </DialogFrame>
  )
}

export function merge(what: 'merge' | 'unmerge', { into, from }: Merge): Promise<unknown> {
  const given = { params: { path: { caseId: into } }, body: { from: [from] } }
  return what === 'merge'
    ? casework.post('/beta/casework/cases/{caseId}/merge', given)
    : casework.post('/beta/casework/cases/{caseId}/unmerge', given)
}
