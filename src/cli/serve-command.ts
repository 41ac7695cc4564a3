// `casework serve`: starts the service, prints the address and the first token, and ends on
// SIGTERM, SIGINT, or when the npm that started it has ended.

import type { RunningServer } from '../app/serve.ts'
import { readEnvironment } from '../kernel/config.ts'
import { createLog, type Log } from '../kernel/log.ts'
import { describeDemo } from './demo-command.ts'
import { EXIT } from './exit-codes.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { whenStarterIsGone } from './starter.ts'

// Accepted requests and running steps get this long; then the process ends anyway. A statement that
// a silent database does not answer is given up after some 5 s, and one may follow another.
const DRAIN_MS = 20_000
// npm forwards a Ctrl-C that its child has already received with the process group, so one request
// to stop may arrive as two signals.
const SAME_REQUEST_MS = 1_000

/**
 * Runs until a signal to stop; returns the exit code. Throws the operating error of a failed start.
 */
export async function runServe(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const { config } = loadConfigFromFlags(flags)
  surviveClosedOutput()
  const log = createLog({ level: config.logLevel, isForPeople: process.stderr.isTTY })
  const stopRequest = listenForStop(log)
  // Loaded after the settings are checked, so that a wrong setting is reported at once.
  const { startServer } = await import('../app/serve.ts')
  const { refreshConsole } = await import('../app/console/refresh-console.ts')
  const whenConsoleBuilt = refreshConsole(config, stopRequest.signal, (line) => {
    process.stdout.write(`  console   ${line}\n`)
  })
  let server: RunningServer
  let firstToken: string | null = null
  try {
    server = await startServer(config, log, {
      signal: stopRequest.signal,
      onFirstToken: (token) => {
        firstToken = token
        process.stdout.write(buildTokenLines(token))
      },
      onSetupLink: (url) => {
        process.stdout.write(buildSetupLines(url))
      },
      onDemo: (news) => {
        process.stdout.write(`  demo      ${describeDemo(news)}\n`)
      },
    })
  } catch (error) {
    if (stopRequest.signal.aborted) return EXIT.ok
    throw error
  }
  await whenConsoleBuilt
  process.stdout.write(buildGreeting(server, firstToken))
  const broken = await Promise.race([stopRequest.whenAsked, server.whenBroken])
  if (broken !== null) {
    process.stderr.write(`casework: ${broken} Stopping; start it again.\n`)
    endAfterDrain(log)
  }
  await server.stop()
  return broken === null ? EXIT.ok : EXIT.failure
}

interface StopRequest {
  /** Aborted at the first signal to stop, also during the start. */
  readonly signal: AbortSignal
  readonly whenAsked: Promise<null>
}

/** A second signal ends the process at once; the database's watchdog then stops the database. */
function listenForStop(log: Log): StopRequest {
  const controller = new AbortController()
  let askedAtMs = 0
  const ask = (reason: string): void => {
    if (controller.signal.aborted) return
    askedAtMs = performance.now()
    log.info('Stopping', { reason })
    endAfterDrain(log)
    controller.abort()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) ask(signal)
      else if (performance.now() - askedAtMs > SAME_REQUEST_MS) process.exit(EXIT.interrupted)
    })
  }
  // npm ends within milliseconds of a signal and leaves its child running; units and images call
  // node directly.
  if (readEnvironment()['npm_lifecycle_event'] !== undefined) {
    void whenStarterIsGone().then(() => ask('the npm that started this is gone'))
  }
  const whenAsked = new Promise<null>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(null))
  })
  return { signal: controller.signal, whenAsked }
}

function endAfterDrain(log: Log): void {
  setTimeout(() => {
    log.warn('Something did not stop in time and is cut', { ms: DRAIN_MS })
    process.exit(EXIT.failure)
  }, DRAIN_MS).unref()
}

// A closed terminal, or `| head`, must not prevent an orderly stop of the database.
function surviveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

function buildTokenLines(token: string): string {
  return `  token     ${token}\n            (administrator; shown this once and stored as a hash: keep it)\n`
}

function buildSetupLines(url: string): string {
  return `  first user ${url}\n            (good once, for an hour: it makes the person who administers the instance)\n`
}

/** The text that is printed once the service is ready. */
export function buildGreeting(
  server: Omit<RunningServer, 'stop' | 'whenBroken'>,
  firstToken: string | null,
): string {
  const { url, consoleUrl, intelUrl, opsUrl, mailLocations, databaseDescription } = server
  const lines = [`  database  ${databaseDescription}`]
  if (intelUrl !== null) lines.push(`  intel     ${intelUrl}`)
  if (opsUrl !== null) lines.push(`  ops       ${opsUrl}`)
  if (mailLocations.length > 0) lines.push(`  mail      ${mailLocations.join(', ')}`)
  if (url === null) {
    lines.push('casework is ready without a listener (the roles api and lookup are off)')
  } else {
    const credential = firstToken === null ? '' : `-H 'Authorization: Bearer ${firstToken}' `
    lines.push(
      `  try it    curl -sS -w '\\n' ${credential}${url}/beta/query/192.0.2.1`,
      `  reference ${url}/docs`,
    )
    if (consoleUrl !== null) lines.push(`  console   ${consoleUrl}`)
    lines.push(`casework is ready at ${url}`)
  }
  return `${lines.join('\n')}\n`
}
