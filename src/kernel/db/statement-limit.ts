// How long a connection is waited for. The server has a limit of its own (statement_timeout), which
// is of no use when its machine or the network is gone: then only this side can give up.

import { AsyncLocalStorage } from 'node:async_hooks'

/** A statement that runs longer than this is a bug. It must not hold its locks for ever. */
export const STATEMENT_TIMEOUT_MS = 60_000
// After the server's own limit there is still its answer to wait for.
const ANSWER_MS = 5_000
// For the small statements that a process repeats all the time. A poll that is waited for longer is
// of no use to anyone.
const POLL_MS = 5_000
/**
 * A COPY may take as long as it needs while bytes pass. The server may sort a large set before it
 * sends the first of them.
 */
export const COPY_SILENCE_MS = 120_000

const givenLimits = new AsyncLocalStorage<number>()

/** Every statement of `work` is given up after some seconds, with its connection. */
export function asPoll<Result>(work: () => Result): Result {
  return givenLimits.run(POLL_MS, work)
}

/** The same with another limit. */
export function withStatementLimit<Result>(limitMs: number, work: () => Result): Result {
  return givenLimits.run(limitMs, work)
}

/** The limit of a statement that is sent now; `serverLimitMs` 0 means that the server has none. */
export function chooseStatementLimit(serverLimitMs: number): number {
  const given = givenLimits.getStore()
  if (given !== undefined) return given
  return serverLimitMs === 0 ? Number.POSITIVE_INFINITY : serverLimitMs + ANSWER_MS
}

/**
 * Settings of a session, with which the server gives up as well: a transaction whose process was
 * stopped holds its locks no longer than this, and a connection whose other end is gone is closed
 * after some 25 s (Linux would take two hours).
 */
const SESSION_SETTINGS: Readonly<Record<string, number>> = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
}

/** An expression of SQL that sets them and is true. */
export const SET_SESSION = `${Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(' || ')} is not null`

/** What can be set for one transaction only. */
export const SET_TRANSACTION: readonly string[] = [
  `set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  `set local idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`,
]

const SET_LOCAL = /\bset local statement_timeout = (\d+)/

/** The limit in ms that this statement sets until the end of its transaction; null for another. */
export function readLocalLimit(statement: string): number | null {
  const match = SET_LOCAL.exec(statement)
  return match === null ? null : Number(match[1])
}
