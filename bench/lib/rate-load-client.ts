// The process of `rate-load.ts`: gets an order, says when it is warm, and gives what it measured
// since then when it is told to end. It ends with the bench that has started it.

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createAnswerScanner } from './answer-scanner.ts'
import type { RateOrder, RateResult } from './rate-load.ts'
import { sortNumbers } from './statistics.ts'

const CONNECTIONS = 16
const WARM_UP_MS = 2_000
const PUMP_MS = 1
// A turn of the client itself takes less. Beyond that the machine kept the client away, so it does
// not know when answers came.
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

process.once('disconnect', () => process.exit(1))
process.once('message', (message) => {
  if (!isOrder(message)) throw new Error('the first message is an order')
  void run(message)
})

function isOrder(message: unknown): message is RateOrder {
  return typeof message === 'object' && message !== null && 'ratePerSecond' in message
}

/** What was seen since the client was warm. */
interface Seen {
  readonly answers: Answer[]
  readonly pauses: Pause[]
  readonly failures: Record<string, number>
}

async function run(order: RateOrder): Promise<void> {
  let seen: Seen = { answers: [], pauses: [], failures: {} }
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      openClient(order.port, {
        noteAnswer: (answer) => seen.answers.push(answer),
        noteFailure: (what, count) => {
          seen.failures[what] = (seen.failures[what] ?? 0) + count
        },
      }),
    ),
  )
  const stopSending = startSending(order, clients, (pause) => seen.pauses.push(pause))
  setTimeout(() => {
    seen = { answers: [], pauses: [], failures: {} }
    process.send?.('warm')
  }, WARM_UP_MS)
  const finish = async (): Promise<void> => {
    stopSending()
    await Promise.all(clients.map((client) => client.close()))
    process.send?.(summarize(seen))
  }
  process.once('message', () => void finish())
}

/** Sends each request when it is due, over the connections in turns, until it is stopped. */
function startSending(
  { requests, ratePerSecond }: RateOrder,
  clients: readonly Client[],
  notePause: (pause: Pause) => void,
): () => void {
  const startedAt = performance.now()
  let isOver = false
  let sent = 0
  let lastAt = startedAt
  const pump = (): void => {
    const now = performance.now()
    if (now - lastAt > PAUSE_MS) notePause({ from: lastAt, to: now })
    lastAt = now
    const due = Math.floor(((now - startedAt) / 1_000) * ratePerSecond)
    for (; sent < due; sent += 1) {
      const dueAt = startedAt + (sent / ratePerSecond) * 1_000
      clients[sent % CONNECTIONS]?.send(requests[sent % requests.length] ?? Buffer.alloc(0), dueAt)
    }
    if (!isOver) setTimeout(pump, PUMP_MS)
  }
  pump()
  return () => {
    isOver = true
  }
}

function summarize({ answers, pauses, failures }: Seen): RateResult {
  const measured = answers.filter((answer) => !pauses.some((pause) => isWithin(answer, pause)))
  return {
    latenciesMs: sortNumbers(measured.map(({ dueAt, at }) => at - dueAt)),
    failures,
    unmeasured: answers.length - measured.length,
    clientPauseMs: Math.max(0, ...pauses.map(({ from, to }) => to - from)),
  }
}

/**
 * Whether the client was away at some time between when the request was due and when its answer was
 * seen.
 */
function isWithin({ dueAt, at }: Answer, { from, to }: Pause): boolean {
  return dueAt < to && at > from
}

interface Notes {
  readonly noteAnswer: (answer: Answer) => void
  readonly noteFailure: (what: string, count: number) => void
}

/** Rejects when there is no connection; what happens to one that is open is noted. */
function openClient(port: number, { noteAnswer, noteFailure }: Notes): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    const waiting: number[] = []
    let isBroken = false
    socket.on('error', (error) => {
      isBroken = true
      // Of an open connection this is a result and not the end of the run.
      noteFailure(error.message, waiting.length)
      waiting.length = 0
      reject(error)
    })
    socket.on(
      'data',
      createAnswerScanner((status) => {
        const dueAt = waiting.shift() ?? 0
        if (status === '200') noteAnswer({ dueAt, at: performance.now() })
        else noteFailure(status, 1)
      }),
    )
    socket.on('connect', () =>
      resolve({
        send(request, dueAt) {
          if (isBroken) {
            noteFailure('the connection is closed', 1)
            return
          }
          waiting.push(dueAt)
          socket.write(request)
        },
        async close() {
          const deadline = performance.now() + CLOSE_WAIT_MS
          while (waiting.length > 0 && performance.now() < deadline) {
            await delay(10)
          }
          if (waiting.length > 0) noteFailure('no answer', waiting.length)
          socket.destroy()
        },
      }),
    )
  })
}
