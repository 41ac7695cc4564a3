// A closed-loop HTTP client on raw sockets: each connection sends the next request when the last
// answer is whole. Made for comparing servers by the CPU they use, so it does no more than find
// where an answer ends.

import { connect } from 'node:net'
import { createAnswerScanner } from './answer-scanner.ts'
import { keepApart } from './keep-apart.ts'
import { sortNumbers } from './statistics.ts'

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** Gives the bytes of the next request. */
  readonly next: () => Buffer
  /** The status that every answer must have; 200 when left out. */
  readonly status?: number
  /** At most this many requests in all; no bound when left out. */
  readonly requestsMax?: number
}

export interface LoadResult {
  readonly requests: number
  readonly elapsedMs: number
  /** Sorted, milliseconds. */
  readonly latenciesMs: readonly number[]
}

// Far more than any request of a bench takes; a server that has lost one is seen.
const ANSWER_TIMEOUT_MS = 60_000

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

/** Gives the requests one after the other, and begins anew behind the last one. */
export function createCycle(requests: readonly Buffer[]): () => Buffer {
  let sent = 0
  return () => {
    const request = requests[sent % requests.length]
    sent += 1
    if (request === undefined) throw new Error('there is no request to send')
    return request
  }
}

/**
 * Throws when there was no answer, or one with another status: a refusal costs less than what was
 * to be measured. Throws as well when the server closes a connection or does not answer.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, durationMs, next, status = 200, requestsMax = Infinity } = options
  const statuses: Record<string, number> = {}
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + durationMs
  let sent = 0
  const take = (): Buffer | null => {
    if (performance.now() >= endsAt || sent >= requestsMax) return null
    sent += 1
    return next()
  }
  const note = (answered: string, latencyMs: number): void => {
    statuses[answered] = (statuses[answered] ?? 0) + 1
    latenciesMs.push(latencyMs)
  }
  const stopSpinning = spin()
  try {
    await keepApart(() =>
      Promise.all(Array.from({ length: connections }, () => runConnection(port, take, note))),
    )
  } finally {
    stopSpinning()
  }
  if (Object.keys(statuses).join() !== String(status)) {
    throw new Error(`not every answer is ${status}: ${JSON.stringify(statuses)}`)
  }
  return {
    requests: latenciesMs.length,
    elapsedMs: performance.now() - startedAt,
    latenciesMs: sortNumbers(latenciesMs),
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
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, timeout: ANSWER_TIMEOUT_MS })
    let startedAt = 0
    const send = (): void => {
      const request = take()
      if (request === null) {
        resolve()
        socket.end()
        return
      }
      startedAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('timeout', () => socket.destroy(new Error('the server did not answer in time')))
    // After the last answer this changes nothing.
    socket.on('close', () => reject(new Error('the server closed a connection before its answer')))
    socket.on(
      'data',
      createAnswerScanner((status) => {
        note(status, performance.now() - startedAt)
        send()
      }),
    )
  })
}
