// A closed-loop HTTP client on raw sockets: each connection sends the next request when the last
// answer is whole. Made for comparing servers by the CPU they use, so it does no more than find
// where an answer ends.

import { connect, type Socket } from 'node:net'
import { createAnswerScanner } from './answer-scanner.ts'
import { keepApart } from './keep-apart.ts'

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** Gives the bytes of the next request. */
  readonly next: () => Buffer
  /** At most this many requests in all; no bound when left out. */
  readonly requestsMax?: number
}

export interface LoadResult {
  readonly requests: number
  readonly elapsedMs: number
  readonly statuses: Readonly<Record<string, number>>
  /** Sorted, milliseconds. */
  readonly latenciesMs: readonly number[]
}

export function buildRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const statuses: Record<string, number> = {}
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + options.durationMs
  let sent = 0
  const take = (): Buffer | null => {
    if (performance.now() >= endsAt || sent >= (options.requestsMax ?? Number.POSITIVE_INFINITY)) {
      return null
    }
    sent += 1
    return options.next()
  }
  const note = (status: string, latencyMs: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1
    latenciesMs.push(latencyMs)
  }
  const stopSpinning = spin()
  try {
    await keepApart(() =>
      Promise.all(
        Array.from({ length: options.connections }, () => runConnection(options.port, take, note)),
      ),
    )
  } finally {
    stopSpinning()
  }
  return {
    requests: latenciesMs.length,
    elapsedMs: performance.now() - startedAt,
    statuses,
    latenciesMs: latenciesMs.toSorted((a, b) => a - b),
  }
}

// Waking a client that sleeps is work of the system that is billed to the server which sends the
// answer. The faster server has the client busy and never pays it, the slower one at every answer,
// so a client that sleeps compares them wrongly.
function spin(): () => void {
  let isOver = false
  const turn = (): void => {
    if (!isOver) setImmediate(turn)
  }
  turn()
  return () => {
    isOver = true
  }
}

function runConnection(
  port: number,
  take: () => Buffer | null,
  note: (status: string, latencyMs: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let startedAt = 0
    const send = (): void => {
      const request = take()
      if (request === null) {
        socket.end()
        resolve()
        return
      }
      startedAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on(
      'data',
      createAnswerScanner((status) => {
        note(status, performance.now() - startedAt)
        send()
      }),
    )
  })
}

/** The value below which `share` (0 to 1) of the sorted values lie. */
export function readPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
