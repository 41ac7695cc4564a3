// A connection of the driver that is never waited for without end, and that is not used again once
// it has shown that its server cannot serve us. connection-watch.ts counts the time.

import { Client, type ClientConfig } from 'pg'
import type { Span } from '../tracing/span.ts'
import type { DatabaseTarget } from './database-hosts.ts'
import { DiskReserveUsedUp, needsRoom } from './disk-reserve.ts'
import type { HostFinder } from './host-finder.ts'
import { readRowScope } from './row-scope.ts'
import { createBegin, createScopedQuery, type ScopeWay, setLocalScope } from './scoped-query.ts'
import {
  COPY_SILENCE_MS,
  chooseStatementLimit,
  readLocalLimit,
  SET_SESSION,
  SET_TRANSACTION,
  STATEMENT_TIMEOUT_MS,
  withStatementLimit,
} from './statement-limit.ts'
import { beginStatementSpan, endStatementSpan } from './trace-statement.ts'
import { classifyTrouble, type TroubleKind } from './trouble-codes.ts'

const GREETING_MS = 3_000
const BEGIN = /^(?:begin|start transaction)\b/i
const END = /^(?:commit|rollback)\b/i

/** The connection was given up. The code makes it 503, as for a server that does not answer. */
export class ConnectionGivenUp extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(reason: string) {
    super(`The database connection was given up: ${reason}`)
    this.name = 'ConnectionGivenUp'
  }
}

/** What the clients of one pool share. */
export interface ClientWatch {
  readonly target: DatabaseTarget
  readonly hosts: HostFinder
  readonly add: (client: WatchedClient) => void
  readonly remove: (client: WatchedClient) => void
  /** Every error of a statement that tells of the state of the database. */
  readonly noteTrouble: (kind: TroubleKind) => void
  /** A connection could not be opened. */
  readonly noteUnopened: () => void
  /** True while the disk has nothing left but its reserve: statements that store are refused. */
  readonly isShortOfRoom: () => boolean
  /** Throws when no new connection shall be opened any more. */
  readonly assertOpen: () => void
}

/** A statement that was sent, or that waits behind another one of its connection. */
export interface Wait {
  readonly limitMs: number
  /** A COPY is measured by the bytes that pass. */
  readonly isCopy: boolean
  waitedMs: number
  bytes: number
  /** Of the trace that the statement belongs to. */
  readonly span?: Span | null
}

interface Greeting {
  readonly is_direct: boolean
  readonly is_read_only: boolean
  readonly has_citus: boolean
  readonly instance: string
}

/** A server process that works for a connection, as pg_stat_activity of its server names it. */
export interface Backend {
  readonly pid: number
  /** Tells servers apart: the start of the server to the microsecond. */
  readonly instance: string
}

export abstract class WatchedClient extends Client {
  /** Null until connected, and behind a pooler, which changes the server process as it likes. */
  backend: Backend | null = null
  abstract readonly watch: ClientWatch
  readonly #waits: Wait[] = []
  #transactionLimitMs = STATEMENT_TIMEOUT_MS
  /** The row scope that the open transaction has. */
  #rowScope: string | null = null
  /** Whether there are workers of Citus, which must learn the scope as well. */
  #hasWorkers = false
  /** Why the connection was given up, once it was. */
  #lost: Error | null = null
  /** Whether it is closed instead of going back to the pool. */
  #isSpent = false
  #isIdle = false
  #release: (error?: Error | boolean) => void = () => undefined

  /** The statement that the server works on; null when there is none. */
  get wait(): Wait | null {
    return this.#waits[0] ?? null
  }

  override connect(callback?: (...result: never[]) => void): never {
    const connecting = this.#open()
    if (callback === undefined) return pretend(connecting.then(() => this))
    const call = (error: unknown): unknown => Reflect.apply(callback, undefined, [error])
    connecting.then(() => call(null), call)
    return pretend(undefined)
  }

  async #open(): Promise<void> {
    const { watch } = this
    // Without a listener a connection that breaks would end the process. Its next statement fails.
    this.on('error', () => undefined)
    try {
      watch.assertOpen()
      const { host, port } = await watch.hosts.find()
      Object.assign(this, { host, port })
      await super.connect()
      watch.add(this)
      this.once('end', () => watch.remove(this))
      await this.#greet()
    } catch (error) {
      this.connection.stream.destroy()
      // A refusal such as too_many_connections says nothing of the connections that are open.
      if (classifyTrouble(error) === 'read_only') watch.noteTrouble('read_only')
      watch.noteUnopened()
      throw error
    }
  }

  /**
   * Sets the server's limits and learns what the server is, in one statement. The limits are not
   * part of the startup message, because PgBouncer refuses parameters there that it does not know.
   * Behind a pooler they are not set for the session either: the server's connection belongs to
   * others too. There the process that answers is not the one of the connection's key.
   */
  async #greet(): Promise<void> {
    const pid = readProcessId(this)
    const { rows } = await withStatementLimit(GREETING_MS, () =>
      askGreeting(
        this,
        `select case when pg_backend_pid() = ${pid}
            then ${SET_SESSION}
            else false end as is_direct,
          current_setting('transaction_read_only') = 'on' as is_read_only,
          exists (select from pg_extension where extname = 'citus') as has_citus,
          pg_postmaster_start_time()::text as instance`,
      ),
    )
    const [greeting] = rows
    if (greeting === undefined) throw new Error('the database gave no greeting')
    if (this.watch.target.mustTakeWrites && greeting.is_read_only) throw new StandbyRefused()
    this.#hasWorkers = greeting.has_citus
    this.backend = greeting.is_direct ? { pid, instance: greeting.instance } : null
  }

  override query(...given: unknown[]): never {
    const args = [...given]
    const [statement] = args
    const last = args.length - 1
    const callback = args[last]
    if (this.#lost === null && this.watch.isShortOfRoom() && needsRoom(statement)) {
      return this.#refuse(new DiskReserveUsedUp(), callback)
    }
    const wait = this.#startWait(statement)
    if (typeof callback === 'function') {
      args[last] = (error: unknown, result: unknown) => {
        this.#endWait(wait, statement, error)
        callback(error, result)
      }
    }
    // Each later statement tells the reason too, above all the rollback, whose error hides the
    // first one.
    if (this.#lost !== null && !wait.isCopy) return this.#refuse(this.#lost, args[last])
    const scope = wait.isCopy ? null : this.#chooseScope(statement)
    if (scope !== null) return this.#queryInScope(scope, wait, args)
    if (typeof statement === 'string' && BEGIN.test(statement)) {
      const texts = this.#openTransaction(statement)
      if (this.#hasWorkers && texts.length > 1) return this.#beginApart(texts, wait, args)
      args[0] = texts.join('; ')
    }
    return this.#sendAsGiven(statement, wait, args)
  }

  #sendAsGiven(statement: unknown, wait: Wait, args: readonly unknown[]): never {
    // `this` is given by the call.
    // oxlint-disable-next-line typescript/unbound-method
    const result: unknown = Reflect.apply(super.query, this, args)
    if (result instanceof Promise) {
      const settled = result.then(
        (value: unknown) => {
          this.#endWait(wait, statement, null)
          return value
        },
        (error: unknown) => {
          this.#endWait(wait, statement, error)
          throw this.#lost ?? error
        },
      )
      return pretend(settled)
    }
    if (wait.isCopy) this.#followCopy(wait, result)
    return pretend(result)
  }

  #refuse(error: Error, callback: unknown): never {
    if (typeof callback === 'function') process.nextTick(callback, error)
    else return pretend(rejectWith(error))
    return pretend(undefined)
  }

  /**
   * A transaction begins with its row scope, in the same message. A pooler keeps no setting between
   * transactions, so behind one each of them begins with its limits as well.
   */
  #openTransaction(statement: string): readonly string[] {
    const scope = readRowScope()
    this.#rowScope = scope
    return [
      statement,
      ...(this.backend === null ? SET_TRANSACTION : []),
      ...(scope === null ? [] : [setLocalScope(scope)]),
    ]
  }

  /** In messages of their own, as Citus needs it (scoped-query.ts). */
  #beginApart(texts: readonly string[], wait: Wait, args: readonly unknown[]): never {
    return this.#send(wait, args, true, (done) => createBegin(texts, done))
  }

  /**
   * The row scope to be set for this statement; null when there is none, or the transaction has it.
   * In a transaction a statement of another scope changes it, so each statement has the scope of
   * the code that sends it.
   */
  #chooseScope(statement: unknown): string | null {
    const text = typeof statement === 'string' ? statement : ''
    const status = this.getTransactionStatus()
    if (BEGIN.test(text) || END.test(text) || status === 'E') {
      // What was set behind the savepoint is undone.
      this.#rowScope = null
      return null
    }
    const scope = readRowScope()
    if (status !== 'T') return scope
    if (scope === this.#rowScope) return null
    this.#rowScope = scope
    return scope
  }

  #queryInScope(scope: string, wait: Wait, args: readonly unknown[]): never {
    const [config, given] = args
    const values = typeof given === 'function' ? undefined : given
    const way = this.#chooseWay()
    return this.#send(wait, args, way === 'transaction', (done) =>
      createScopedQuery({ scope, way, config, values }, done),
    )
  }

  /** `begins`: the query opens a transaction, which an error leaves open. */
  #send(
    wait: Wait,
    args: readonly unknown[],
    begins: boolean,
    create: (done: (error: unknown, result: unknown) => void) => unknown,
  ): never {
    const callback = args.at(-1)
    const apply = (...given: readonly unknown[]): void => {
      // `this` is given by the call.
      // oxlint-disable-next-line typescript/unbound-method
      Reflect.apply(super.query, this, given)
    }
    const send = (done: (error: unknown, result: unknown) => void): void => {
      const end = (error: unknown, result: unknown): void => {
        const isOpen = begins && error !== null && error !== undefined
        // Before any other statement of this connection.
        if (isOpen) apply('rollback', () => undefined)
        done(error, result)
      }
      apply(create(end))
    }
    if (typeof callback === 'function') {
      send((error, result) => void Reflect.apply(callback, undefined, [error, result]))
      return pretend(undefined)
    }
    return pretend(
      new Promise((resolve, reject) => {
        send((error, result) => {
          this.#endWait(wait, args[0], error)
          if (error === null || error === undefined) resolve(result)
          else reject(this.#lost ?? error)
        })
      }),
    )
  }

  #chooseWay(): ScopeWay {
    if (!this.#hasWorkers) return 'config'
    return this.getTransactionStatus() === 'T' ? 'local' : 'transaction'
  }

  #startWait(statement: unknown): Wait {
    const isCopy = typeof statement === 'object' && statement !== null && 'submit' in statement
    const limitMs = isCopy ? COPY_SILENCE_MS : chooseStatementLimit(this.#transactionLimitMs)
    const span = beginStatementSpan(statement)
    const wait = { limitMs, isCopy, waitedMs: 0, bytes: 0, span }
    this.#waits.push(wait)
    return wait
  }

  #endWait(wait: Wait, statement: unknown, error: unknown): void {
    const at = this.#waits.indexOf(wait)
    if (at >= 0) this.#waits.splice(at, 1)
    endStatementSpan(wait.span, error)
    if (error !== null && error !== undefined) {
      this.#noteError(error)
      return
    }
    const limitMs = typeof statement === 'string' ? readLocalLimit(statement) : null
    if (limitMs !== null) this.#transactionLimitMs = limitMs
    else if (this.getTransactionStatus() === 'I') this.#transactionLimitMs = STATEMENT_TIMEOUT_MS
  }

  /** A COPY is a stream, which ends in one of these ways. */
  #followCopy(wait: Wait, stream: unknown): void {
    if (!isEmitter(stream)) return
    stream.once('close', () => this.#endWait(wait, null, null))
    stream.once('error', (error) => this.#endWait(wait, null, error))
  }

  #noteError(error: unknown): void {
    const kind = classifyTrouble(error)
    if (kind === null || kind === 'conflict') return
    this.#isSpent = true
    this.watch.noteTrouble(kind)
  }

  /** How many bytes have passed on this connection, both ways. */
  get bytes(): number {
    const { stream } = this.connection
    const read = 'bytesRead' in stream ? Number(stream.bytesRead) : 0
    const written = 'bytesWritten' in stream ? Number(stream.bytesWritten) : 0
    return read + written
  }

  /** Ends the connection at once; its statements fail with the reason. */
  giveUp(reason: string): void {
    const error = new ConnectionGivenUp(reason)
    this.#lost = error
    this.#isSpent = true
    this.watch.noteTrouble('unreachable')
    this.connection.stream.destroy(error)
  }

  /** Closes a connection that has no user. The pool forgets it at once by the event. */
  leave(): void {
    this.#isSpent = true
    this.emit('error', new ConnectionGivenUp('another one to this database has failed'))
    this.connection.stream.destroy()
  }

  /** True while the pool holds it for its next user. */
  get isIdle(): boolean {
    return this.#isIdle
  }

  // The pool assigns its own function here for each user of the connection. A connection that is
  // spent does not go back to the others: after a failover it may still lead to the former primary.
  get release(): (error?: Error | boolean) => void {
    return this.#release
  }

  set release(release: (error?: Error | boolean) => void) {
    this.#isIdle = false
    this.#release = (error = false) => {
      this.#isIdle = true
      release(error === false ? this.#isSpent : error)
    }
  }
}

/** The class of the clients of one pool, since the pool makes them itself. */
export function createClientType(watch: ClientWatch): new (config?: ClientConfig) => WatchedClient {
  return class extends WatchedClient {
    readonly watch = watch
  }
}

/** The server of a connection takes no writes, though one that does was asked for. */
class StandbyRefused extends Error {
  readonly code = '25006'

  constructor() {
    super('The database takes no writes, and target_session_attrs asks for one that does')
    this.name = 'StandbyRefused'
  }
}

async function rejectWith(error: Error): Promise<never> {
  throw error
}

async function askGreeting(client: Client, statement: string) {
  return await client.query<Greeting>(statement)
}

function readProcessId(client: Client): number {
  // An undocumented member of the driver, which other libraries use as well.
  const pid: unknown = Reflect.get(client, 'processID')
  return typeof pid === 'number' ? Math.trunc(pid) : 0
}

interface Emitter {
  readonly once: (event: string, listener: (value: unknown) => void) => unknown
}

function isEmitter(value: unknown): value is Emitter {
  return typeof value === 'object' && value !== null && 'once' in value
}

/**
 * The methods of the driver have many signatures. A method that returns `never` fits all of them,
 * and the driver's own declaration is what callers see.
 */
function pretend(value: unknown): never {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value as never
}
