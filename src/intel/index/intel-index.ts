// The intel set that look-ups of this thread read. They read nothing else, so they cost the same
// with or without a database (design, decision 6). The first thread of a process keeps the set
// fresh; the other threads follow it through a port.

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { TagCatalogue } from '../facts/tag-catalogue.ts'
import type { IntelView } from '../snapshot/intel-view.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { PushListener } from './fresh-facts.ts'
import type { IndexDeps } from './index-deps.ts'
import { FeedFollower, FeedSender } from './index-feed.ts'
import { IndexKeeper, type SeenSerials } from './index-keeper.ts'
import type { IntelSet, IntelSetState } from './intel-set.ts'

export interface IntelIndex {
  /** The set as it is now. Ask again for each request: it is replaced as a whole. */
  readonly view: () => IntelView
  /** The whole set at one serial, without the changes since; for another node. */
  readonly snapshot: () => Snapshot
  readonly tags: () => TagCatalogue
  /** Headers of every answer from this set: its serial, and that a proxy must not keep it. */
  readonly headers: () => Readonly<Record<string, string>>
  readonly state: () => Pick<IntelSetState, 'serial' | 'checkedAtMs'>
  /** Applies all committed changes. Rejects when the database does not answer. */
  readonly refreshNow: () => Promise<void>
  /** Applies the changes up to the serials that the poll has read (app/follow-database.ts). */
  readonly follow: (seen: SeenSerials) => Promise<void>
  /** Resolves when a push of so many rows is visible; a small one does not wait for a slow read. */
  readonly seeSoon: (rows: number) => Promise<void>
  /** Is told of the pushes of this thread, so that they need not be read from the database. */
  readonly freshPushes: PushListener
  /** A port for another thread of this process, to open the same set there. */
  readonly openPort: () => MessagePort
  readonly close: () => Promise<void>
}

/** Opens the set, which `follow` keeps fresh. `feed` is a port to the thread that keeps it. */
export async function openIntelIndex(
  deps: IndexDeps,
  feed: MessagePort | null = null,
): Promise<IntelIndex> {
  const index = feed === null ? await keep(deps) : await follow(deps, feed)
  deps.readiness.add({ name: 'intel', check: async () => index.set.explain() })
  const { set } = index
  return {
    view: () => set.view,
    snapshot: () => set.view.snapshot,
    tags: () => set.state.tags,
    headers: () => set.headers,
    state: () => set.state,
    refreshNow: index.refresh,
    follow: index.follow,
    seeSoon: index.seeSoon,
    freshPushes: index.freshPushes,
    openPort: index.openPort,
    close: index.close,
  }
}

interface OpenIndex
  extends Pick<IntelIndex, 'follow' | 'seeSoon' | 'freshPushes' | 'openPort' | 'close'> {
  readonly set: IntelSet
  readonly refresh: () => Promise<void>
}

async function keep(deps: IndexDeps): Promise<OpenIndex> {
  const senders: FeedSender[] = []
  const keeper = await IndexKeeper.open(deps, (state) => {
    for (const sender of senders) sender.send(state)
  })
  return {
    set: keeper.set,
    refresh: keeper.refresh,
    follow: keeper.follow,
    seeSoon: keeper.seeSoon,
    freshPushes: keeper.fresh,
    openPort() {
      const { port1, port2 } = new MessageChannel()
      const sender = new FeedSender(port1, {
        refresh: keeper.refresh,
        seeSoon: keeper.seeSoon,
        addFresh: (push) => keeper.fresh.add(push),
      })
      sender.send(keeper.set.state)
      senders.push(sender)
      return port2
    },
    async close() {
      await keeper.close()
      for (const sender of senders) sender.close()
    },
  }
}

async function follow(deps: IndexDeps, feed: MessagePort): Promise<OpenIndex> {
  const follower = await FeedFollower.open(deps, feed)
  return {
    set: follower.set,
    refresh: () => follower.refresh(),
    follow: async () => undefined,
    seeSoon: (rows) => follower.refresh(rows),
    freshPushes: follower,
    openPort() {
      throw new Error('a follower has no followers')
    },
    close: async () => follower.close(),
  }
}
