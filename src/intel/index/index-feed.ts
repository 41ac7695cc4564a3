// How the threads of one process share one intel set: the keeper sends its state through a port, in
// shared buffers, and a follower reads the same memory.

import type { MessagePort } from 'node:worker_threads'
import type { SightingRule } from '../facts/sighting-rules.ts'
import { buildTagCatalogue, type Tag, type TagCatalogue } from '../facts/tag-catalogue.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import type { FreshPush, PushListener } from './fresh-facts.ts'
import type { IndexDeps } from './index-deps.ts'
import { IntelSet, type IntelSetState, type Layer } from './intel-set.ts'

/** To a follower. */
export type FeedMessage =
  | {
      readonly kind: 'state'
      readonly newestFirst: readonly { readonly id: number; readonly buffer: SharedArrayBuffer }[]
      /** The whole catalogue when it is another than before, else null. */
      readonly tags: readonly Tag[] | null
      /** The whole table of rules when it is another than before, else null. */
      readonly rules: readonly SightingRule[] | null
      readonly serial: number
      readonly checkedAtMs: number
    }
  | { readonly kind: 'refreshed'; readonly id: number; readonly reason: string | null }

/** From a follower: refresh and answer when the state has been sent; or a push of its own. */
type FeedRequest =
  | { readonly kind: 'refresh'; readonly id: number; readonly rows: number | null }
  | { readonly kind: 'pushed'; readonly push: FreshPush }

/** The part of the keeper that a sender uses. */
interface Keeper {
  readonly refresh: () => Promise<void>
  readonly seeSoon: (rows: number) => Promise<void>
  readonly addFresh: (push: FreshPush) => void
}

/** The keeper's end of one port. */
export class FeedSender {
  readonly #port: MessagePort
  #tags: TagCatalogue | null = null
  #rules: readonly SightingRule[] | null = null

  constructor(port: MessagePort, { refresh, seeSoon, addFresh }: Keeper) {
    this.#port = port
    port.on('message', (request: FeedRequest) => {
      if (request.kind === 'pushed') {
        addFresh(request.push)
        return
      }
      const { id, rows } = request
      const seen = rows === null ? refresh() : seeSoon(rows)
      seen.then(
        () => this.#post({ kind: 'refreshed', id, reason: null }),
        (error: unknown) => this.#post({ kind: 'refreshed', id, reason: String(error) }),
      )
    })
    port.unref()
  }

  send({ newestFirst, tags, rules, serial, checkedAtMs }: IntelSetState): void {
    const hasOtherTags = this.#tags !== tags
    const hasOtherRules = this.#rules !== rules
    this.#tags = tags
    this.#rules = rules
    this.#post({
      kind: 'state',
      newestFirst: newestFirst.map(({ id, snapshot }) => ({ id, buffer: snapshot.buffer })),
      tags: hasOtherTags ? tags.tags : null,
      rules: hasOtherRules ? rules : null,
      serial,
      checkedAtMs,
    })
  }

  #post(message: FeedMessage): void {
    // A port between threads knows no origins; the rule means windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#port.postMessage(message)
  }

  close(): void {
    this.#port.close()
  }
}

const CLOSED = 'the index is closed'

/** The other end: a set that follows the keeper's. */
export class FeedFollower implements PushListener {
  readonly set: IntelSet
  readonly #port: MessagePort
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>()
  #lastId = 0
  #isClosed = false

  private constructor(port: MessagePort, set: IntelSet) {
    this.#port = port
    this.set = set
    port.on('message', (message: FeedMessage) => this.#take(message))
    // The keeper has closed its end, or its thread is gone: no answer comes any more.
    port.on('close', () => this.#end())
    port.unref()
  }

  /** Resolves with the first state the keeper sends. */
  static async open(deps: IndexDeps, port: MessagePort): Promise<FeedFollower> {
    const first = await new Promise<FeedMessage>((resolve) => {
      port.once('message', resolve)
    })
    if (first.kind !== 'state') throw new Error('a feed begins with its state')
    return new FeedFollower(port, new IntelSet(deps, stateOf(first, null)))
  }

  #take(message: FeedMessage): void {
    if (message.kind === 'state') {
      this.set.replace(stateOf(message, this.set.state))
      return
    }
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.reason === null) waiting?.resolve()
    else waiting?.reject(new Error(message.reason))
  }

  /** With `rows` as `seeSoon` of the keeper. Rejects when the feed is closed, also meanwhile. */
  refresh(rows: number | null = null): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error(CLOSED))
    this.#lastId += 1
    const waiting = Promise.withResolvers<void>()
    this.#waiting.set(this.#lastId, waiting)
    this.#post({ kind: 'refresh', id: this.#lastId, rows })
    return waiting.promise
  }

  /** Sends the pushes of this thread to the keeper. */
  readonly expect: PushListener['expect'] = () => (push) => {
    if (push !== null) this.#post({ kind: 'pushed', push })
  }

  #post(request: FeedRequest): void {
    // A port between threads knows no origins; the rule means windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#port.postMessage(request)
  }

  #end(): void {
    this.#isClosed = true
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(CLOSED))
    this.#waiting.clear()
  }

  close(): void {
    this.#port.close()
    this.#end()
  }
}

// A buffer arrives as a new object each time, though it is the same memory. Layers that are open
// already are kept.
function stateOf(
  message: Extract<FeedMessage, { kind: 'state' }>,
  known: IntelSetState | null,
): IntelSetState {
  const { serial, checkedAtMs } = message
  const isSame =
    known?.newestFirst.length === message.newestFirst.length &&
    known.newestFirst.every((layer, at) => layer.id === message.newestFirst[at]?.id)
  const newestFirst = isSame ? known.newestFirst : openLayers(message.newestFirst, known)
  const tags = message.tags === null ? known?.tags : buildTagCatalogue(message.tags)
  const rules = message.rules ?? known?.rules ?? []
  return { newestFirst, tags: tags ?? buildTagCatalogue([]), rules, serial, checkedAtMs }
}

function openLayers(
  sent: readonly { readonly id: number; readonly buffer: SharedArrayBuffer }[],
  known: IntelSetState | null,
): readonly Layer[] {
  return sent.map(({ id, buffer }) => {
    const layer = known?.newestFirst.find((other) => other.id === id)
    return layer ?? { id, snapshot: Snapshot.fromBuffer(buffer) }
  })
}
