// A statement with its row scope in one round trip. The extended protocol runs the statements up to
// a Sync as one transaction, so a setting that is local to the transaction holds for the statement
// behind it and for nothing else. A pooler in transaction mode keeps them together for that reason.

import { type Connection, Query } from 'pg'
import { ROW_SCOPE_SETTING } from './row-scope.ts'

const SET_SCOPE = `select set_config('${ROW_SCOPE_SETTING}', $1, true)`

type Done = (error: unknown, result: unknown) => void

/**
 * A query for the driver's `Client.query`, which takes the same arguments. The text is one
 * statement.
 */
export function createScopedQuery(
  scope: string,
  [config, values]: readonly [unknown, unknown],
  done: Done,
): Query {
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
