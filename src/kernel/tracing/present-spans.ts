// Spans in the JSON form of OTLP (OpenTelemetry Protocol 1.x, ExportTraceServiceRequest).

import type { Attributes, EndedSpan, SpanKind } from './span.ts'

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 }
const STATUS_ERROR = 2

export interface TracedResource {
  readonly serviceName: string
  readonly version: string
  /** Tells the processes and threads of one service apart. */
  readonly instanceId: string
}

export function presentSpans(
  { serviceName, version, instanceId }: TracedResource,
  spans: readonly EndedSpan[],
): object {
  const resource = {
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': instanceId,
  }
  const scopeSpans = [{ scope: { name: 'casework', version }, spans: spans.map(presentSpan) }]
  return {
    resourceSpans: [{ resource: { attributes: presentAttributes(resource) }, scopeSpans }],
  }
}

function presentSpan(span: EndedSpan): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: presentTime(span.startMs),
    endTimeUnixNano: presentTime(span.endMs),
    attributes: presentAttributes(span.attributes),
    ...(span.hasFailed ? { status: { code: STATUS_ERROR } } : {}),
  }
}

/** 64-bit integers are texts in this form. */
function presentTime(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n)
}

function presentAttributes(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: presentValue(value) }))
}

function presentValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
