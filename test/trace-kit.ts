// A collector for traces on the loopback interface: OTLP over HTTP, in JSON.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listenOnLoopback } from './loopback.ts'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly durationNs: bigint
  readonly hasFailed: boolean
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
}

export interface Collector {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** Answers with this status from now on. */
  readonly answerWith: (status: number) => void
  readonly close: () => Promise<void>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const readAttributes = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export async function openTraceCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  let status = 200
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      requests.push({ path: `${request.method} ${request.url}`, headers: request.headers })
      const isExport = request.method === 'POST' && status < 300
      if (isExport) spans.push(...readSpans(Buffer.concat(parts).toString('utf8')))
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    spans,
    requests,
    answerWith: (next) => {
      status = next
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

function readSpans(text: string): readonly ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text)
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of another program
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // oxlint-disable-next-line typescript/no-explicit-any
    scopeSpans.flatMap(({ spans }: any) =>
      // oxlint-disable-next-line typescript/no-explicit-any
      spans.map((span: any) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        name: span.name,
        kind: span.kind,
        durationNs: BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano),
        hasFailed: span.status?.code === 2,
        attributes: readAttributes(span.attributes),
        resource: readAttributes(resource.attributes),
      })),
    ),
  )
}
