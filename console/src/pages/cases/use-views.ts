// The saved views of the tenant and one's own, how many cases each has, and the acts on them.

import { useQueries, useQuery } from '@tanstack/react-query'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { readPreferences, usePreferences } from '../../settings/preferences.ts'
import type { SavedView } from './case-types.ts'
import { messages } from './messages.ts'
import { type QueueFilters, type QueueSearch, toCaseQuery } from './queue-search.ts'
import { readNow } from './use-cases.ts'
import { toViewQuery } from './view-presets.ts'

// As many as a tenant may have.
const VIEWS_MAX = 500
const VIEWS_KEY = ['views', 'cases'] as const

export function useSavedViews() {
  return useQuery({
    queryKey: VIEWS_KEY,
    queryFn: async () => {
      const query = { list: 'cases', limit: VIEWS_MAX, order: 'asc' } as const
      return (await casework.get('/beta/casework/views', { params: { query } })).items
    },
  })
}

// Counts are asked for as often: a queue is looked at all day.
const COUNT_MS = 60_000

/** How many cases each of the filters has; undefined while it is not known. */
export function useCounts(filters: readonly QueueFilters[]): readonly (number | undefined)[] {
  const { zone } = usePreferences()
  return useQueries({
    queries: filters.map((one) => ({
      queryKey: ['cases', 'counts', one, zone] as const,
      queryFn: async () => {
        const query = toCaseQuery(one, readNow())
        return (await casework.get('/beta/casework/cases/counts', { params: { query } })).total
      },
      refetchInterval: COUNT_MS,
      staleTime: COUNT_MS / 2,
    })),
    combine: (found) => found.map(({ data }) => data),
  })
}

export interface NewView {
  readonly name: string
  readonly isShared: boolean
  readonly search: QueueSearch
}

export interface ViewChange {
  readonly view: SavedView
  readonly name?: string
  readonly shared?: boolean
  readonly query?: SavedView['query']
}

export function useViewActs(onSaved: (view: SavedView) => void, onGone: (view: SavedView) => void) {
  const t = useText(messages)
  const save = useAct<NewView, SavedView>({
    act: ({ name, isShared, search }) =>
      casework.post('/beta/casework/views', {
        body: {
          name,
          list: 'cases',
          query: toViewQuery(search, readPreferences().zone),
          shared: isShared,
        },
      }),
    touches: touchViews,
    say: ({ name }) => t('view_saved', { name }),
    onDone: onSaved,
  })
  const change = useAct<ViewChange, SavedView>({
    act: ({ view, ...body }) => sendChange(view.id, body),
    touches: touchViews,
    say: (_given, { name }) => t('view_was_changed', { name }),
    undo:
      ({ view }) =>
      () => {
        const { name, shared, query } = view
        return sendChange(view.id, { name, shared, query })
      },
  })
  const remove = useAct<SavedView, unknown>({
    act: ({ id }) =>
      casework.delete('/beta/casework/views/{viewId}', { params: { path: { viewId: id } } }),
    touches: touchViews,
    say: ({ name }) => t('view_was_deleted', { name }),
    undo:
      ({ name, list, query, shared }) =>
      () =>
        casework.post('/beta/casework/views', { body: { name, list, query, shared } }),
    onDone: (_result, view) => onGone(view),
  })
  return { save, change, remove }
}

function touchViews() {
  return [VIEWS_KEY]
}

function sendChange(viewId: string, body: Omit<ViewChange, 'view'>): Promise<SavedView> {
  return casework.patch('/beta/casework/views/{viewId}', { params: { path: { viewId } }, body })
}
