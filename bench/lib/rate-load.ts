// An open-loop HTTP client: requests at a fixed rate whatever the answers do, latency counted from when each was due, so that a stall cannot
// hide behind the requests that were not sent (coordinated omission).

import { connect } from 'node:net'

const CONNECTIONS = 16

export interface RateResult {
  /** Sorted, in ms, of the requests that were answered with 200. */
  readonly latenciesMs: readonly number[]
  /** How many were not, by what came instead. */
  readonly failures: Readonly<Record<string, number>>
}

/** Sends requests at the rate for as long as `during` takes. */
export async function runAtRate(
  port: number,
  requests: readonly Buffer[],
  ratePerSecond: number,
  during: () => Promise<void>,
): Promise<RateResult> {
  const latencies: number[] = []
  const failures: Record<string, number> = {}
  let isOver = false
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openClient(port, latencies, failures)),
  )
  const startedAt = performance.now()
  let sent = 0
  const pump = (): void => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * ratePerSecond)
    for (; sent < due; sent += 1) {
      const dueAt = startedAt + (sent / ratePerSecond) * 1_000
      clients[sent % CONNECTIONS]?.send(requests[sent % requests.length] ?? Buffer.alloc(0), dueAt)
    }
    if (!isOver) setImmediate(pump)
  }
  pump()
  try {
    await during()
  } finally {
    isOver = true
    await Promise.all(clients.map((client) => client.close()))
  }
  return { latenciesMs: latencies.toSorted((a, b) => a - b), failures }
}

// What was sent by then is answered, or never will be.
const CLOSE_WAIT_MS = 10_000

interface Client {
  readonly send: (request: Buffer, dueAt: number) => void
  readonly close: () => Promise<void>
}

function openClient(
  port: number,
  latencies: number[],
  failures: Record<string, number>,
): Promise<Client> {
  const noteFailure = (what: string, count = 1): void => {
    failures[what] = (failures[what] ?? 0) + count
  }
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    const waiting: number[] = []
    let rest: Buffer = Buffer.alloc(0)
    let isBroken = false
    socket.on('error', (error) => {
      isBroken = true
      // Once it is open, that nobody answers any more is a result and not the end of the run.
      noteFailure(error.message, waiting.length)
      waiting.length = 0
      reject(error)
    })
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (;;) {
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = rest.toString('latin1', 0, end)
        const length = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (rest.length < length) return
        const latencyMs = performance.now() - (waiting.shift() ?? 0)
        if (head.startsWith('HTTP/1.1 200')) latencies.push(latencyMs)
        else noteFailure(head.slice(9, 12))
        rest = rest.subarray(length)
      }
    })
    socket.on('connect', () =>
      resolve({
        send(request, dueAt) {
          if (isBroken) {
            noteFailure('the connection is closed')
            return
          }
          waiting.push(dueAt)
          socket.write(request)
        },
        async close() {
          const deadline = performance.now() + CLOSE_WAIT_MS
          while (waiting.length > 0 && performance.now() < deadline) {
            await new Promise((done) => {
              setTimeout(done, 10)
            })
          }
          if (waiting.length > 0) noteFailure('no answer', waiting.length)
          socket.destroy()
        },
      }),
    )
  })
}
