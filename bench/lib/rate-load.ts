// An open-loop HTTP client: requests at a fixed rate whatever the answers do, latency counted from when each was due, so that a stall cannot
// hide behind the requests that were not sent (coordinated omission).

import { connect } from 'node:net'

const CONNECTIONS = 16

/** Sorted latencies in ms of requests sent at the rate for as long as `during` takes. Throws on any answer other than 200. */
export async function runAtRate(
  port: number,
  requests: readonly Buffer[],
  ratePerSecond: number,
  during: () => Promise<void>,
): Promise<number[]> {
  const latencies: number[] = []
  let isOver = false
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openClient(port, latencies)),
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
  await during()
  isOver = true
  await Promise.all(clients.map((client) => client.close()))
  return latencies.toSorted((a, b) => a - b)
}

interface Client {
  readonly send: (request: Buffer, dueAt: number) => void
  readonly close: () => Promise<void>
}

function openClient(port: number, latencies: number[]): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    const waiting: number[] = []
    let rest: Buffer = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (;;) {
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = rest.toString('latin1', 0, end)
        const length = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (rest.length < length) return
        if (!head.startsWith('HTTP/1.1 200')) {
          throw new Error(`a request was answered ${head.slice(0, 40)}`)
        }
        latencies.push(performance.now() - (waiting.shift() ?? 0))
        rest = rest.subarray(length)
      }
    })
    socket.on('connect', () =>
      resolve({
        send(request, dueAt) {
          waiting.push(dueAt)
          socket.write(request)
        },
        async close() {
          while (waiting.length > 0) {
            await new Promise((done) => {
              setTimeout(done, 10)
            })
          }
          socket.destroy()
        },
      }),
    )
  })
}
