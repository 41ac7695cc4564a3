// The header `traceparent` (W3C Trace Context, version 00): how a trace goes from one program to
// the next.

export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const LENGTH_MAX = 512

/** Null for a header that is absent or wrong: then a trace begins here. */
export function parseTraceParent(text: unknown): TraceParent | null {
  if (typeof text !== 'string' || text.length > LENGTH_MAX) return null
  const [, version, traceId = '', spanId = '', flags = '', rest] = FORM.exec(text) ?? []
  // A later version may have more members; version 00 has none, and ff is none.
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) {
    return null
  }
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
