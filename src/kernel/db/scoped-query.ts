// A statement with its row scope in one round trip. The extended protocol runs the statements up to
// a Sync as one transaction, so a setting that is local to the transaction holds for the statement
// behind it and for nothing else. A pooler in transaction mode keeps them together for that reason.

import { type Connection, escapeLiteral, Query } from 'pg'
import { ROW_SCOPE_SETTING } from './row-scope.ts'

const SET_SCOPE = `select set_config('${ROW_SCOPE_SETTING}', $1, true)`

type Done = (error: unknown, result: unknown) => void

/**
 * How a statement gets its scope. `config`: by a function, which is the cheapest way. Citus hands
 * on to its workers only what `set local` sets in a transaction, and as the whole text that it was
 * part of, so there it is a message of its own: in front of a statement of a transaction (`local`),
 * or in a `transaction` made around a single statement. After an error the latter is still open:
 * the caller rolls it back.
 */
export type ScopeWay = 'config' | 'local' | 'transaction'

export interface ScopedStatement {
  readonly scope: string
  readonly way: ScopeWay
  /** As given to the driver's `Client.query`. */
  readonly config: unknown
  readonly values: unknown
}

interface Message {
  readonly text: string
  readonly values: readonly string[]
}

/**
 * A query for the driver's `Client.query`, which takes the same arguments. A text with values is
 * one statement; one without may be several. With Citus several see the scope on the coordinator
 * only.
 */
export function createScopedQuery(statement: ScopedStatement, done: Done): Query {
  const { scope, way, config, values } = statement
  const hasValues = Array.isArray(values) && values.length > 0
  if (typeof config === 'string' && !hasValues) {
    if (way === 'config') return prefixText(setLocalScope(scope), config, done)
    if (SEVERAL.test(config)) return prefixText(selectScope(scope), config, done)
  }
  const query: Query = Reflect.construct(Query, [config, values, done])
  sendBetween(query, listFirstMessages(statement), way === 'transaction' ? COMMIT : null)
  return query
}

/** Begins a transaction with its settings in one round trip, each in a message of its own. */
export function createBegin(texts: readonly string[], done: Done): Query {
  const messages = texts.map((text) => ({ text, values: [] }))
  const query: Query = Reflect.construct(Query, [texts.at(-1), [], done])
  sendBetween(query, messages.slice(0, -1), null)
  return query
}

const SEVERAL = /;\s*\S/
const COMMIT: Message = { text: 'commit', values: [] }

function listFirstMessages({ scope, way }: ScopedStatement): readonly Message[] {
  if (way === 'config') return [{ text: SET_SCOPE, values: [scope] }]
  const local = { text: setLocalScope(scope), values: [] }
  return way === 'local' ? [local] : [{ text: 'begin', values: [] }, local]
}

function sendBetween(query: Query, first: readonly Message[], last: Message | null): void {
  const { submit } = query
  Object.assign(query, {
    // Without values the driver would choose the simple protocol.
    queryMode: 'extended',
    submit(connection: Connection): unknown {
      // One write to the socket for all; Node counts the corks, and the driver sets one more.
      connection.stream.cork()
      try {
        for (const message of first) sendMessage(connection, message)
        const used = last === null ? connection : sendAtSync(connection, last)
        return Reflect.apply(submit, query, [used])
      } finally {
        connection.stream.uncork()
      }
    },
  })
  keepOwnAnswer(query, first.length, last !== null)
}

/** The statements of one message are one transaction as well. */
function prefixText(prefix: string, text: string, done: Done): Query {
  return Reflect.construct(Query, [
    `${prefix}; ${text}`,
    undefined,
    (error: unknown, result: unknown) => {
      const [, ...own] = Array.isArray(result) ? result : []
      done(error, own.length > 1 ? own : own[0])
    },
  ])
}

function selectScope(scope: string): string {
  return `select set_config('${ROW_SCOPE_SETTING}', ${escapeLiteral(scope)}, true)`
}

/** A statement for the transaction that it is part of. */
export function setLocalScope(scope: string): string {
  return `set local ${ROW_SCOPE_SETTING} = ${escapeLiteral(scope)}`
}

function sendMessage(connection: Connection, { text, values }: Message): void {
  connection.parse({ name: '', text, types: [] }, true)
  connection.bind({ values: [...values] }, true)
  connection.execute({}, true)
}

/** The same connection, whose Sync comes behind one more message. */
function sendAtSync(connection: Connection, message: Message): Connection {
  return Object.assign(Object.create(connection), {
    sync(): void {
      sendMessage(connection, message)
      connection.sync()
    },
  })
}

/**
 * The caller gets the answer to its own statement. Those to the messages in front of it are
 * dropped, and so is that to a commit behind it.
 */
function keepOwnAnswer(query: Query, firstCount: number, hasCommit: boolean): void {
  let left = firstCount
  Object.assign(query, {
    handleDataRow: () => undefined,
    handleCommandComplete(): void {
      left -= 1
      if (left > 0) return
      // Without these overrides the methods of the class take the next answer.
      Reflect.deleteProperty(query, 'handleDataRow')
      Reflect.deleteProperty(query, 'handleCommandComplete')
      if (hasCommit) keepNextAnswerOnly(query)
    },
  })
}

function keepNextAnswerOnly(query: Query): void {
  const complete: unknown = Reflect.get(query, 'handleCommandComplete')
  if (typeof complete !== 'function') throw new TypeError('the driver has another kind of query')
  Object.assign(query, {
    handleCommandComplete(...given: unknown[]): void {
      Reflect.apply(complete, query, given)
      Object.assign(query, { handleCommandComplete: () => undefined })
    },
  })
}
