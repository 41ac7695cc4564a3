// Spans of the running code: what a request, a job or a step does, and how long it takes. Without a
// collector (OTEL_EXPORTER_OTLP_ENDPOINT) there is never a span, and everything here answers null.

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { formatTraceParent, type TraceParent } from './trace-context.ts'

export type SpanKind = 'internal' | 'server' | 'client'

export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanStart {
  /** A name of few values, such as that of a route: no ids, no data. */
  readonly name: string
  readonly kind: SpanKind
  readonly attributes?: Attributes
}

/** As the exporter gets it. Times are in ms since 1970, with fractions. */
export interface EndedSpan extends Required<SpanStart> {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly startMs: number
  readonly endMs: number
  readonly hasFailed: boolean
}

export interface Span {
  readonly traceId: string
  /** `traceparent` for a program that is called within it. */
  readonly header: string
  readonly startChild: (start: SpanStart) => Span
  /** Once; a later call is ignored. */
  readonly end: (outcome?: SpanOutcome) => void
}

interface SpanOutcome {
  readonly attributes?: Attributes
  readonly hasFailed?: boolean
}

export interface Tracer {
  /** A trace, or a part of one of the program whose `traceparent` is given. */
  readonly begin: (start: SpanStart, traceParent?: unknown) => Span
  /** Sends what waits, for some seconds at most. */
  readonly close: () => Promise<void>
}

export type TakeSpan = (span: EndedSpan) => void

// An import of a million rows sends as many statements; its first thousand tell enough.
const SPANS_PER_TRACE_MAX = 1_000

/** What the spans of one trace in this process share. */
interface Trace {
  readonly id: string
  /** False where the caller, or the share of traces, says that nothing is recorded. */
  readonly isSampled: boolean
  readonly take: TakeSpan
  spans: number
}

/** A span without one above it in this process; `parent` is in the program that called. */
export function startTrace(
  take: TakeSpan,
  { parent, isSampled }: { readonly parent: TraceParent | null; readonly isSampled: boolean },
  start: SpanStart,
): Span {
  const id = parent?.traceId ?? randomBytes(16).toString('hex')
  return createSpan({ id, isSampled, take, spans: 0 }, parent?.spanId ?? null, start, true)
}

function createSpan(
  trace: Trace,
  parentSpanId: string | null,
  start: SpanStart,
  isFirst = false,
): Span {
  const spanId = randomBytes(8).toString('hex')
  const startMs = readTimeMs()
  const { isSampled } = trace
  let hasEnded = false
  return {
    traceId: trace.id,
    header: formatTraceParent({ traceId: trace.id, spanId, isSampled }),
    startChild: (child) => createSpan(trace, spanId, child),
    end({ attributes, hasFailed = false } = {}) {
      if (hasEnded || !isSampled) return
      hasEnded = true
      trace.spans += 1
      // The first one ends last, and is always there.
      if (trace.spans > SPANS_PER_TRACE_MAX && !isFirst) return
      trace.take({
        name: start.name,
        kind: start.kind,
        attributes: { ...start.attributes, ...attributes },
        traceId: trace.id,
        spanId,
        parentSpanId,
        startMs,
        endMs: readTimeMs(),
        hasFailed,
      })
    },
  }
}

// Finer than the clock of the kernel, which has whole milliseconds.
function readTimeMs(): number {
  return performance.timeOrigin + performance.now()
}

const present = new AsyncLocalStorage<Span>()

/** The span of the running code; null without traces, and in code that none was begun for. */
export function readSpan(): Span | null {
  return present.getStore() ?? null
}

/** Runs `work` within the span, which the caller ends. */
export function withinSpan<Result>(span: Span | null, work: () => Result): Result {
  return span === null ? work() : present.run(span, work)
}

/** Runs `work` within the span, and ends it with it. */
async function runSpan<Result>(span: Span | null, work: () => Promise<Result>): Promise<Result> {
  if (span === null) return await work()
  try {
    const result = await present.run(span, work)
    span.end()
    return result
  } catch (error) {
    span.end({ hasFailed: true })
    throw error
  }
}

/** A part of the present trace, or a trace of its own; null without a trace and a tracer. */
export function beginSpan(tracer: Tracer | null, start: SpanStart): Span | null {
  return readSpan()?.startChild(start) ?? tracer?.begin(start) ?? null
}

/** Runs `work` within such a span. */
export async function runTraced<Result>(
  tracer: Tracer | null,
  start: SpanStart,
  work: () => Promise<Result>,
): Promise<Result> {
  return await runSpan(beginSpan(tracer, start), work)
}
