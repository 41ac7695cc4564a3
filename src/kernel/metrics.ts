// The metrics of this process for GET /metrics. Each HTTP thread counts for itself; the thread that
// answers the request adds up the counts of all threads, over a channel that the threads of one
// process share.

import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export interface Metrics {
  /** The registry of this thread; `collect` reports its metrics. */
  readonly registry: Registry
  /**
   * The text form of Prometheus, over all threads of the process. A thread that does not answer in
   * time is left out.
   */
  readonly collect: () => Promise<string>
  readonly close: () => void
}

export interface MetricsOptions {
  /** How many other threads of this process count as well. */
  readonly peers: number
  /** Threads with the same channel are one process; tests give their own. */
  readonly channel?: string
  /** The time limit for the answer of another thread. */
  readonly answerMs?: number
}

type Snapshot = object[]

type Message =
  | { readonly kind: 'ask'; readonly id: string }
  | { readonly kind: 'tell'; readonly id: string; readonly snapshot: Snapshot }

// A scraper gives up after 10 s; a thread that is busy for longer is left out.
const ANSWER_MS = 1_000

export function openMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry()
  // These metrics are of the whole process, so one thread reports them.
  if (isMainThread) collectDefaultMetrics({ register: registry })
  const delay = watchEventLoop(registry)
  if (options.peers === 0) {
    return { registry, collect: () => registry.metrics(), close: () => delay.disable() }
  }
  const gathering = openGathering(registry, options)
  return {
    registry,
    collect: async () => await AggregatorRegistry.aggregate(await gathering.gather()).metrics(),
    close() {
      delay.disable()
      gathering.close()
    },
  }
}

/**
 * The busiest thread decides how long a caller waits, so the greatest value of all threads counts.
 */
function watchEventLoop(registry: Registry): { readonly disable: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const gauge = new Gauge({
    name: 'casework_event_loop_delay_p99_seconds',
    help: 'How long the event loop of the busiest thread was late, 99th percentile since the last look.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      gauge.set(delay.count === 0 ? 0 : delay.percentile(99) / 1e9)
      delay.reset()
    },
  })
  return { disable: () => void delay.disable() }
}

interface Gathering {
  /** The snapshots of this thread and of all others that answered. */
  readonly gather: () => Promise<Snapshot[]>
  readonly close: () => void
}

function openGathering(registry: Registry, options: MetricsOptions): Gathering {
  const channel = new BroadcastChannel(options.channel ?? 'casework-metrics')
  channel.unref()
  const waiting = new Map<string, (snapshot: Snapshot) => void>()
  // Node's BroadcastChannel has no addEventListener in its types, and no other window to be the
  // target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  channel.onmessage = (event: unknown): void => {
    const message = readMessage(event)
    if (message === null) return
    if (message.kind === 'tell') waiting.get(message.id)?.(message.snapshot)
    // A thread whose metrics cannot be read, or that closes meanwhile, is left out.
    else answer(message.id).catch(() => undefined)
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const send = (message: Message): void => channel.postMessage(message)
  const answer = async (id: string): Promise<void> => {
    send({ kind: 'tell', id, snapshot: await registry.getMetricsAsJSON() })
  }
  return {
    async gather() {
      const id = randomUUID()
      const snapshots: Snapshot[] = [await registry.getMetricsAsJSON()]
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, options.answerMs ?? ANSWER_MS)
        waiting.set(id, (snapshot) => {
          snapshots.push(snapshot)
          if (snapshots.length <= options.peers) return
          clearTimeout(timer)
          resolve()
        })
        send({ kind: 'ask', id })
      })
      waiting.delete(id)
      return snapshots
    },
    close: () => channel.close(),
  }
}

// Only this module writes on the channel.
function readMessage(event: unknown): Message | null {
  if (typeof event !== 'object' || event === null || !('data' in event)) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return event.data as Message
}
