// The process of `rate-load.ts`: gets an order, says when it is warm, and gives what it measured since then when it is told to end.

import { connect } from 'node:net'
import { createAnswerScanner } from './answer-scanner.ts'
import type { RateOrder, RateResult } from './rate-load.ts'

const CONNECTIONS = 16
const WARM_UP_MS = 2_000
const PUMP_MS = 1
// What was sent by then is answered, or never will be.
const CLOSE_WAIT_MS = 10_000

interface Client {
  readonly send: (request: Buffer, dueAt: number) => void
  readonly close: () => Promise<void>
}

process.once('message', (message) => {
  if (!isOrder(message)) throw new Error('the first message is an order')
  void run(message)
})

function isOrder(message: unknown): message is RateOrder {
  return typeof message === 'object' && message !== null && 'ratePerSecond' in message
}

async function run({ port, requests, ratePerSecond }: RateOrder): Promise<void> {
  let latencies: number[] = []
  const failures: Record<string, number> = {}
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      openClient(port, (latencyMs) => latencies.push(latencyMs), failures),
    ),
  )
  const startedAt = performance.now()
  let isOver = false
  let sent = 0
  let lastAt = startedAt
  let clientPauseMs = 0
  const pump = (): void => {
    const now = performance.now()
    clientPauseMs = Math.max(clientPauseMs, now - lastAt)
    lastAt = now
    const due = Math.floor(((now - startedAt) / 1_000) * ratePerSecond)
    for (; sent < due; sent += 1) {
      const dueAt = startedAt + (sent / ratePerSecond) * 1_000
      clients[sent % CONNECTIONS]?.send(requests[sent % requests.length] ?? Buffer.alloc(0), dueAt)
    }
    if (!isOver) setTimeout(pump, PUMP_MS)
  }
  pump()
  setTimeout(() => {
    latencies = []
    clientPauseMs = 0
    process.send?.('warm')
  }, WARM_UP_MS)
  const finish = async (): Promise<void> => {
    isOver = true
    await Promise.all(clients.map((client) => client.close()))
    const latenciesMs = latencies.toSorted((a, b) => a - b)
    process.send?.({ latenciesMs, failures, clientPauseMs } satisfies RateResult)
  }
  process.once('message', () => void finish())
}

function openClient(
  port: number,
  noteLatency: (latencyMs: number) => void,
  failures: Record<string, number>,
): Promise<Client> {
  const noteFailure = (what: string, count = 1): void => {
    failures[what] = (failures[what] ?? 0) + count
  }
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    const waiting: number[] = []
    let isBroken = false
    socket.on('error', (error) => {
      isBroken = true
      // Once it is open, that nobody answers any more is a result and not the end of the run.
      noteFailure(error.message, waiting.length)
      waiting.length = 0
      reject(error)
    })
    socket.on(
      'data',
      createAnswerScanner((status) => {
        const latencyMs = performance.now() - (waiting.shift() ?? 0)
        if (status === '200') noteLatency(latencyMs)
        else noteFailure(status)
      }),
    )
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
