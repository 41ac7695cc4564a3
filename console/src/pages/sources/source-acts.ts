// What can be done to a source.

import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { showToast } from '../../parts/toasts.ts'
import { type NewSource, readSource, type Source } from './data.ts'
import { messages } from './messages.ts'

const TOUCHED = [['sources']] as const

export interface FetchOrder {
  readonly source: Source
  readonly mayShrink: boolean
}

export function useFetchNow() {
  const t = useText(messages)
  return useAct({
    act: async ({ source: { kind, name }, mayShrink }: FetchOrder) => {
      const { result } = await casework.post('/beta/sources/{kind}/{name}/fetch', {
        params: { path: { kind, name }, query: mayShrink ? { allowShrink: true } : {} },
      })
      return result
    },
    touches: () => TOUCHED,
    onDone: ({ outcome, accepted = 0, removed = 0, trouble = '' }, { source: { name } }) => {
      showToast({
        kind: outcome === 'failed' ? 'failure' : 'done',
        text: t(`fetch_${outcome}`, { name, accepted, removed, trouble }),
      })
    },
  })
}

/** What a source is described by, without what the server adds. */
export function describeSource(source: Source): NewSource {
  const { description, origin, licence, ttlSeconds, fetch } = source
  return {
    ...(description === undefined ? {} : { description }),
    ...(origin === undefined ? {} : { origin }),
    ...(licence === undefined ? {} : { licence }),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(fetch === undefined
      ? {}
      : {
          fetch: {
            url: fetch.url,
            format: fetch.format,
            name: fetch.name,
            intervalSeconds: fetch.intervalSeconds,
            enabled: fetch.enabled,
          },
        }),
  }
}

/** The rest stays as it is on the server, which may have changed since the page asked. */
async function putEnabled({ kind, name }: Source, enabled: boolean) {
  const { fetch, ...described } = describeSource(await readSource(kind, name))
  return await casework.put('/beta/sources/{kind}/{name}', {
    params: { path: { kind, name } },
    body: { ...described, ...(fetch === undefined ? {} : { fetch: { ...fetch, enabled } }) },
  })
}

/** Fetching by schedule, on or off. */
export function useSchedule() {
  const t = useText(messages)
  return useAct({
    act: (source: Source) => putEnabled(source, source.fetch?.enabled !== true),
    touches: () => TOUCHED,
    say: ({ name, fetch }) =>
      t(fetch?.enabled === true ? 'disabled_done' : 'enabled_done', { name }),
    undo: (source) => () => putEnabled(source, source.fetch?.enabled === true),
  })
}

export function useRemove(onDone: () => void) {
  const t = useText(messages)
  return useAct({
    act: ({ kind, name }: Source) =>
      casework.delete('/beta/sources/{kind}/{name}', { params: { path: { kind, name } } }),
    touches: () => TOUCHED,
    say: ({ name }) => t('removed', { name }),
    onDone,
  })
}

/** The fetch was refused because the list became much shorter, or empty. */
export function wasShrunk(trouble: string | undefined): boolean {
  return trouble?.includes('allowShrink') === true
}
