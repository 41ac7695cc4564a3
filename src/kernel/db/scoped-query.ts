// A statement with its row scope in one round trip. The extended protocol runs the statements up to
// a Sync as one transaction, so a setting that is local to the transaction holds for the statement
// behind it and for nothing else. A pooler in transaction mode keeps them together for that reason.

import { type Connection, escapeLiteral, Query } from 'pg'
import { ROW_SCOPE_SETTING } from './row-scope.ts'

const SET_SCOPE = `select set_config('${ROW_SCOPE_SETTING}', $1, true)`

type Done = (error: unknown, result: unknown) => void

/**
 * A query for the driver's `Client.query`, which takes the same arguments. A text with values is
 * one statement; one without may be several.
 */
export function createScopedQuery(
  scope: string,
  [config, values]: readonly [unknown, unknown],
  done: Done,
): Query {
  const hasValues = Array.isArray(values) && values.length > 0
  if (typeof config === 'string' && !hasValues) return prefixText(scope, config, done)
  const query: Query = Reflect.construct(Query, [config, values, done])
  const { submit } = query
  Object.assign(query, {
    // Without values the driver would choose the simple protocol.
    queryMode: 'extended',
    submit(connection: Connection): unknown {
      // One write to the socket for both; Node counts the corks, and the driver sets one more.
      connection.stream.cork()
      try {
        sendScope(connection, scope)
        return Reflect.apply(submit, query, [connection])
      } finally {
        connection.stream.uncork()
      }
    },
  })
  skipFirstAnswer(query)
  return query
}

/** The statements of one message are one transaction as well. */
function prefixText(scope: string, text: string, done: Done): Query {
  const both = `${setLocalScope(scope)}; ${text}`
  return Reflect.construct(Query, [
    both,
    undefined,
    (error: unknown, result: unknown) => {
      const [, ...own] = Array.isArray(result) ? result : []
      done(error, own.length > 1 ? own : own[0])
    },
  ])
}

/** A statement for the transaction that it is part of. */
export function setLocalScope(scope: string): string {
  return `set local ${ROW_SCOPE_SETTING} = ${escapeLiteral(scope)}`
}

function sendScope(connection: Connection, scope: string): void {
  connection.parse({ name: '', text: SET_SCOPE, types: [] }, true)
  connection.bind({ values: [scope] }, true)
  connection.execute({}, true)
}

/** The row and the end of the first statement are no part of the caller's answer. */
function skipFirstAnswer(query: Query): void {
  const names = ['handleDataRow', 'handleCommandComplete']
  const skip = Object.fromEntries(names.map((name) => [name, (): void => end(name)]))
  // The methods of the class are there again without these.
  const end = (name: string): void => {
    if (name !== 'handleCommandComplete') return
    for (const own of names) Reflect.deleteProperty(query, own)
  }
  Object.assign(query, skip)
}
