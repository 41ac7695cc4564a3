// Takes a merge back: a case that was merged into this one gets its events and its state again.

import { Button, Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { shortId } from '../../parts/short-id.ts'
import { Since } from '../../parts/since.tsx'
import { DialogActs, DialogFrame } from '../cases/shared/act-dialog.tsx'
import type { DialogProps } from './deadline-dialog.tsx'
import { merge } from './merge-dialog.tsx'
import { messages } from './messages.ts'

interface Merged {
  readonly id: string
  readonly count: number
  readonly at: string
}

// The most that the interface gives at once. Merges behind so many entries are not offered.
const HISTORY_MAX = 1_000

export function UnmergeDialog({ detail, onClose }: DialogProps) {
  const t = useText(messages)
  const [chosen, setChosen] = useState('')
  const list = useQuery({
    queryKey: ['cases', detail.id, 'merged'],
    queryFn: () => listMerged(detail.id),
  })
  const act = useAct<string, unknown>({
    act: (from) => merge('unmerge', { into: detail.id, from }),
    touches: () => [['cases'], ['events']],
    say: () => t('said_unmerged'),
    undo: (from) => () => merge('merge', { into: detail.id, from }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onClose()
    act.mutate(chosen)
  }
  return (
    <DialogFrame title={t('act_unmerge')} onClose={onClose}>
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isLoading && <Loading lines={3} />}
      {list.data?.length === 0 && (
        <EmptyState title={t('nothing_merged')} text={t('nothing_merged_why')} />
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <form className="stack" onSubmit={submit}>
          <Radio.Group label={t('merged_cases')} value={chosen} onChange={setChosen}>
            <div className="stack merge-ways">
              {list.data.map(({ id, count, at }) => (
                <Radio
                  key={id}
                  value={id}
                  label={<span className="mono">{shortId(id)}</span>}
                  description={
                    <>
                      {t('event_count', { count })} · <Since at={at} />
                    </>
                  }
                />
              ))}
            </div>
          </Radio.Group>
          <div className="dim">{t('unmerge_why')}</div>
          <DialogActs onClose={onClose}>
            <Button type="submit" disabled={chosen === ''}>
              {t('act_unmerge')}
            </Button>
          </DialogActs>
        </form>
      )}
    </DialogFrame>
  )
}

/** The merges of the history that were not taken back since. */
async function listMerged(caseId: string): Promise<readonly Merged[]> {
  const { items } = await casework.get('/beta/casework/cases/{caseId}/history', {
    params: { path: { caseId }, query: { limit: HISTORY_MAX, order: 'asc' } },
  })
  const merged = new Map<string, Merged>()
  for (const { kind, at, changes } of items) {
    if (kind !== 'merge' && kind !== 'unmerge') continue
    const from: unknown = changes === undefined ? [] : Reflect.get(changes, 'from')
    for (const one of Array.isArray(from) ? from : []) {
      const id = readId(one)
      if (id === null) continue
      const count: unknown = typeof one === 'object' ? Reflect.get(one, 'event_count') : 0
      if (kind === 'unmerge') merged.delete(id)
      else merged.set(id, { id, count: typeof count === 'number' ? count : 0, at })
    }
  }
  return [...merged.values()].toReversed()
}

function readId(one: unknown): string | null {
  if (typeof one === 'string') return one
  if (typeof one !== 'object' || one === null) return null
  const id: unknown = Reflect.get(one, 'case_id')
  return typeof id === 'string' ? id : null
}
