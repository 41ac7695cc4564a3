// An open-loop HTTP client: requests at a fixed rate whatever the answers do, latency counted from
// when each was due, so that a stall cannot hide behind the requests that were not sent
// (coordinated omission). It runs in a process of its own: what the bench itself holds and collects
// would be seen as late answers.

import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { LOAD_CORES } from './keep-apart.ts'

const CLIENT = fileURLToPath(import.meta.resolve('./rate-load-client.ts'))
// The client warms up for 2 s, and waits up to 10 s for the last answers.
const MESSAGE_TIMEOUT_MS = 60_000

export interface RateOrder {
  readonly port: number
  readonly requests: readonly Buffer[]
  readonly ratePerSecond: number
}

export interface RateResult {
  /**
   * Sorted, in ms, of the requests that were answered with 200 while the client was there to see
   * it.
   */
  readonly latenciesMs: readonly number[]
  /**
   * How many were answered with 200 around a time at which the machine kept the client itself away,
   * so that nobody knows how quickly.
   */
  readonly unmeasured: number
  /** How many were not, by what came instead. */
  readonly failures: Readonly<Record<string, number>>
  /** The longest pause of the client itself, in ms. */
  readonly clientPauseMs: number
}

/** How many requests have an unknown latency, and why, for the tables. */
export function describeUnmeasured(results: readonly RateResult[]): string {
  const unmeasured = results.reduce((sum, result) => sum + result.unmeasured, 0)
  const pauseMs = Math.max(...results.map(({ clientPauseMs }) => clientPauseMs))
  return `not measured: ${unmeasured.toLocaleString('en')} around pauses of the client itself of up to ${pauseMs.toFixed(1)} ms`
}

/**
 * Sends requests at the rate for as long as `during` takes, which begins when the client has warmed
 * up. Throws when the client ends or says nothing in time.
 */
export async function runAtRate(
  order: RateOrder,
  during: () => Promise<void>,
): Promise<RateResult> {
  const [program = '', ...prefix] = buildPrefix()
  const child = fork(CLIENT, {
    serialization: 'advanced',
    execPath: program,
    execArgv: [...prefix, process.execPath],
  })
  try {
    child.send(order)
    await receive(child)
    await during()
    child.send('end')
    const result = await receive(child)
    if (!isResult(result)) throw new Error(`the client of the load said ${String(result)}`)
    return result
  } finally {
    child.kill()
  }
}

// The database works on the same processors: a request that is sent late because of it would count
// as answered late, so the client goes before everything else there. Only root may; for others the
// pauses of the client say how much it matters.
function buildPrefix(): string[] {
  const apart = ['taskset', '-c', LOAD_CORES]
  try {
    execFileSync('chrt', ['--rr', '1', 'true'], { stdio: 'ignore' })
    return ['chrt', '--rr', '1', ...apart]
  } catch {
    return apart
  }
}

function isResult(message: unknown): message is RateResult {
  return typeof message === 'object' && message !== null && 'latenciesMs' in message
}

/** The next message of the client. */
async function receive(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController()
  const { signal } = listening
  const timer = setTimeout(
    () => listening.abort(new Error('the client of the load said nothing in time')),
    MESSAGE_TIMEOUT_MS,
  )
  try {
    // Both reject at the event `error`, which a program that cannot be started causes.
    const message = once(child, 'message', { signal })
    const [received] = await Promise.race([
      message,
      once(child, 'exit', { signal }).then(refuseEnd),
    ])
    return received
  } finally {
    clearTimeout(timer)
    listening.abort()
  }
}

function refuseEnd([code]: readonly unknown[]): never {
  throw new Error(`the client of the load ended with code ${String(code)}`)
}
