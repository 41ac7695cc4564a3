// The process of `rate-load.ts`: gets an order, says when it is warm, and gives what it measured
// since then when it is told to end.

import { connect } from 'node:net'
import { createAnswerScanner } from './answer-scanner.ts'
import type { RateOrder, RateResult } from './rate-load.ts'

const CONNECTIONS = 16
const WARM_UP_MS = 2_000
const PUMP_MS = 1
// A turn of the client itself takes less; beyond it the machine kept it away, and it knows nothing
// of when answers came.
const PAUSE_MS = 3
// After this time an open request counts as lost.
const CLOSE_WAIT_MS = 10_000

interface Answer {
  readonly dueAt: number
  readonly at: number
}

interface Pause {
  readonly from: number
  readonly to: number
}

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
  let answers: Answer[] = []
  let pauses: Pause[] = []
  const failures: Record<string, number> = {}
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      openClient(port, (answer) => answers.push(answer), failures),
    ),
  )
  const startedAt = performance.now()
  let isOver = false
  let sent = 0
  let lastAt = startedAt
  const pump = (): void => {
    const now = performance.now()
    if (now - lastAt > PAUSE_MS) pauses.push({ from: lastAt, to: now })
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
    answers = []
    pauses = []
    process.send?.('warm')
  }, WARM_UP_MS)
  const finish = async (): Promise<void> => {
    isOver = true
    await Promise.all(clients.map((client) => client.close()))
    const measured = answers.filter((answer) => !pauses.some((pause) => isWithin(answer, pause)))
    process.send?.({
      latenciesMs: measured.map(({ dueAt, at }) => at - dueAt).toSorted((a, b) => a - b),
      failures,
      unmeasured: answers.length - measured.length,
      clientPauseMs: Math.max(0, ...pauses.map(({ from, to }) => to - from)),
    } satisfies RateResult)
  }
  process.once('message', () => void finish())
}

/**
 * Whether the client was away at some time between when the request was due and when its answer was
 * seen.
 */
function isWithin({ dueAt, at }: Answer, { from, to }: Pause): boolean {
  return dueAt < to && at > from
}

function openClient(
  port: number,
  note: (answer: Answer) => void,
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
        const dueAt = waiting.shift() ?? 0
        if (status === '200') note({ dueAt, at: performance.now() })
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
