// Begins traces, and sends their spans to a collector by OTLP over HTTP (docs/guides/traces.md).
// Nobody waits for it: spans queue up to a bound, and what does not fit is dropped and counted.

import { randomUUID } from 'node:crypto'
import { Counter, type Registry } from 'prom-client'
import { every } from '../async/every.ts'
import type { Log } from '../log.ts'
import { allowEntryOf } from '../outbound/allow-list.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { presentSpans } from './present-spans.ts'
import { type EndedSpan, startTrace, type Tracer } from './span.ts'
import { parseTraceParent } from './trace-context.ts'

export interface TracerOptions {
  /** Traces are posted to `<endpoint>/v1/traces`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly version: string
  /** The share of the traces that begin here, from 0 to 1. A caller decides for its own. */
  readonly share: number
  readonly log: Log
  readonly countSpans: CountSpans
  /** Smaller in tests. */
  readonly queueMax?: number
  readonly pauseMs?: number
}

export type CountSpans = (outcome: 'sent' | 'dropped' | 'failed', spans: number) => void

// Some 2 MB; a busy node makes as many in a second or two.
const QUEUE_MAX = 4_096
// About 300 kB of JSON.
const BATCH = 512
const PAUSE_MS = 1_000
const TIMEOUT_MS = 5_000
const WARN_PAUSE_MS = 60_000
// A collector that does not answer must not hold a stop up.
const CLOSE_MS = 2_000

/** Registered with traces or without, so that the page of metrics is the same. */
export function createSpanCounter(metrics: Registry): CountSpans {
  const counter = new Counter({
    name: 'casework_trace_spans_total',
    help: 'Spans of traces, by outcome: sent to the collector, dropped because the queue was full, or failed to be sent.',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  })
  return (outcome, spans) => counter.inc({ outcome }, spans)
}

export function createTracer(options: TracerOptions): Tracer {
  const { endpoint, headers, serviceName, version, share, log, countSpans } = options
  const { queueMax = QUEUE_MAX, pauseMs = PAUSE_MS } = options
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const resource = { serviceName, version, instanceId: randomUUID() }
  // The operator names the collector, so it alone is open to this client, on a private address too.
  const outbound = createOutbound({ allow: [allowEntryOf(url)], log })
  const queue: EndedSpan[] = []
  let silentUntilMs = 0
  const take = (span: EndedSpan): void => {
    if (queue.length < queueMax) queue.push(span)
    else countSpans('dropped', 1)
  }
  const sendBatch = async (): Promise<void> => {
    const spans = queue.splice(0, BATCH)
    const outcome = await outbound.request({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(presentSpans(resource, spans)),
      purpose: 'traces',
      timeoutMs: TIMEOUT_MS,
      redirectsMax: 0,
      allowHttp: true,
    })
    const isTaken = outcome.kind === 'answer' && outcome.status < 300
    countSpans(isTaken ? 'sent' : 'failed', spans.length)
    if (isTaken || performance.now() < silentUntilMs) return
    silentUntilMs = performance.now() + WARN_PAUSE_MS
    const reason = outcome.kind === 'answer' ? `status ${outcome.status}` : outcome.reason
    log.warn('Traces could not be sent; no more of it is logged for a minute', { reason })
  }
  const sendAll = async (): Promise<void> => {
    // Ends: no more than what waits now.
    for (let left = queue.length; left > 0; left -= BATCH) await sendBatch()
  }
  const stop = every(pauseMs, sendAll, (error) => {
    log.warn('Traces could not be sent', { reason: String(error) })
  })
  return {
    begin(start, traceParent) {
      const parent = parseTraceParent(traceParent)
      const isSampled = parent?.isSampled ?? Math.random() < share
      return startTrace(take, { parent, isSampled }, start)
    },
    async close() {
      // What is under way then fails at once, and so does the rest.
      const timer = setTimeout(() => outbound.close(), CLOSE_MS)
      await stop()
      await sendAll()
      clearTimeout(timer)
      outbound.close()
    },
  }
}
