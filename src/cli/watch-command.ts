// `casework watch`: what happens to the records of the tenant, a line each, until Ctrl-C.

import {
  CaseworkError,
  type WatchedChange,
  type WatchedReset,
  type WatchOptions,
} from '../client/client.ts'
import { createStreamClient } from './api-client.ts'
import { createPaint, type Paint } from './colour.ts'
import { CommandFailure, chooseExitCodeForStatus, EXIT } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

// A timer takes no more milliseconds; it is some 24 days.
const SECONDS_MAX = 2 ** 31 / 1_000 - 1

type Flags = Readonly<Record<string, unknown>>

/** Returns after as many changes or seconds as were asked for, or at a signal: no failure. */
export async function runWatch(flags: Flags): Promise<void> {
  const output = readOutput(flags, ['human', 'jsonl'])
  const wanted = readCount(flags, 'count')
  const seconds = readCount(flags, 'seconds')
  const casework = createStreamClient(flags, loadConfigFromFlags(flags).config)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stop.abort())
  }
  if (seconds <= SECONDS_MAX) setTimeout(() => stop.abort(), seconds * 1_000).unref()
  // A reader that closes the pipe (`| head`) has seen enough.
  process.stdout.once('error', () => stop.abort())
  const paint = createPaint(process.stdout, process.env)
  let seen = 0
  try {
    for await (const change of casework.watch({ ...readOptions(flags), signal: stop.signal })) {
      process.stdout.write(output === 'jsonl' ? `${formatJson(change)}\n` : describe(change, paint))
      if (change.kind !== 'reset') seen += 1
      if (seen === wanted) return
    }
  } catch (error) {
    throw explain(error)
  }
}

function readCount(flags: Flags, name: 'count' | 'seconds'): number {
  const given = flags[name]
  if (given === undefined) return Number.POSITIVE_INFINITY
  const count = Number(given)
  if (Number.isInteger(count) && count > 0) return count
  throw new CommandFailure(`--${name} takes a whole number above 0.`, EXIT.usage)
}

function readOptions(flags: Flags): WatchOptions {
  const { kinds, what, case: caseId, after } = flags
  return {
    // The server says which kinds there are.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...(typeof kinds === 'string' ? { kinds: kinds.split(',') as WatchedChange['kind'][] } : {}),
    ...(typeof what === 'string' ? { what: what.split(',') } : {}),
    ...(typeof caseId === 'string' ? { caseId } : {}),
    ...(typeof after === 'string' ? { after } : {}),
  }
}

function describe(change: WatchedChange | WatchedReset, paint: Paint): string {
  if (change.kind === 'reset') {
    return `${paint('Changes are missing here: load anew what you keep.', 'yellow')}\n`
  }
  const { kind, what, id, case_id: caseId, at, serial } = change
  const place = caseId === undefined || caseId === id ? '' : `  in ${caseId}`
  const title = escapeControls(`${kind} ${what}`).padEnd(20)
  return `${at}  ${paint(title, 'bold')}  ${escapeControls(`${id}${place}`)}  ${paint(`#${serial}`, 'dim')}\n`
}

/** The client gives up a server that takes the connection and says nothing. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function noAnswer(error: CaseworkError): CommandFailure {
  return new CommandFailure(error.message, EXIT.network, error)
}

function explain(error: unknown): unknown {
  if (!(error instanceof CaseworkError)) return error
  if (error.status === 0) return isAborted(error.cause) ? noAnswer(error) : error.cause
  return new CommandFailure(error.message, chooseExitCodeForStatus(error.status), error)
}
