// The worst stall of look-ups while a new list goes live: 5,000 look-ups a second at a fixed rate, latency counted from when each was
// due, so that a stall cannot hide behind the requests that were not sent (coordinated omission).

import { connect } from 'node:net'
import { generateIntelSet, generateQuestions } from './lib/intel-set.ts'
import { buildRequest, readPercentile } from './lib/load.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { printFigures } from './lib/report.ts'
import type { Stage } from './lib/stage.ts'

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 1_080_000)
const NEW_ENTRIES = 100_000
const RATE_PER_SECOND = 5_000
const CONNECTIONS = 16
const SEED = 20_261_121

export async function benchStall(stage: Stage): Promise<void> {
  const set = generateIntelSet(ENTRIES, SEED, Date.now())
  const fresh = generateIntelSet(NEW_ENTRIES, SEED + 77, Date.now())
  const lines = fresh.items.map((item) =>
    JSON.stringify({ item, list: 'new-list', source: 'bench-new' }),
  )
  const server = await stage.startServer(0)
  try {
    await pushSet({ port: server.port, token: stage.token }, set)
    const questions = generateQuestions(set.items, 20_000, SEED + 3).map((item) =>
      buildRequest('GET', `/beta/query/${encodeURIComponent(item)}`),
    )
    const calm = await runAtRate(server.port, questions, async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 5_000)
      })
    })
    const busy = await runAtRate(server.port, questions, async () => {
      await pushRows({ port: server.port, token: stage.token }, 'listings', lines)
      // What goes on behind the answer (a rebuilt snapshot, its swap) belongs to the list going live.
      await new Promise((resolve) => {
        setTimeout(resolve, 5_000)
      })
    })
    printFigures(`Stall at ${RATE_PER_SECOND.toLocaleString('en')} look-ups/s`, [
      {
        name: `while ${NEW_ENTRIES.toLocaleString('en')} new entries go live (${busy.length.toLocaleString('en')} look-ups, all answered 200)`,
        ours: describe(busy),
        calibration: `the same server without it: ${describe(calm)}`,
        ratio: null,
      },
    ])
  } finally {
    await server.stop()
  }
}

function describe(sorted: readonly number[]): string {
  return `p99 ${readPercentile(sorted, 0.99).toFixed(1)} ms, worst ${(sorted.at(-1) ?? 0).toFixed(1)} ms`
}

/** Sorted latencies in ms of look-ups sent at the fixed rate for as long as `during` takes. Throws on any answer other than 200. */
async function runAtRate(
  port: number,
  requests: readonly Buffer[],
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
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * RATE_PER_SECOND)
    for (; sent < due; sent += 1) {
      const dueAt = startedAt + (sent / RATE_PER_SECOND) * 1_000
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
          throw new Error(`a look-up was answered ${head.slice(0, 40)}`)
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
