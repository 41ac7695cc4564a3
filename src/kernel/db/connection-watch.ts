// Watches the connections of one pool. A machine that loses its power and a firewall that forgets
// its connections send no word of it: without a watch, whatever was under way would hang for ever.
// docs/decisions/0015-edge-to-the-database.md has the reasons.

import type { DatabaseTarget } from './database-hosts.ts'
import { closeBriefClient, createHostFinder, openBriefClient } from './host-finder.ts'
import type { TroubleKind } from './trouble-codes.ts'
import { type ClientWatch, ConnectionGivenUp, type WatchedClient } from './watched-client.ts'

export interface ConnectionWatch extends ClientWatch {
  /** How long ago the database refused a write (read only, disk full); null when it has not. */
  readonly findRefusedWrite: () => { readonly kind: TroubleKind; readonly agoMs: number } | null
  /**
   * The process stops: from now on a statement is waited for some seconds, and once a connection
   * could not be opened, no other is tried.
   */
  readonly hasten: () => void
  /** Ends the connections that have not closed by now. */
  readonly close: () => void
}

// The wait for an answer is counted in turns of a timer, not by the clock: a process that was
// stopped for a minute must not take its own pause for the database's.
const TURN_MS = 500
// A statement that is waited for longer than this is asked about on another connection.
const SUSPECT_MS = 3_000
const ASK_PAUSE_TURNS = 2
const ASK_TIMEOUT_MS = 2_000
// So often in a row the server must say that it does not work on a statement. Once is not enough:
// the statement may have ended just now, with its answer still on the way here.
const VERDICTS = 3
const STOP_MS = 3_000

export interface WatchOptions {
  /** The true length of a turn: a test lets the counted time pass more quickly. */
  readonly turnMs?: number | undefined
  readonly isShortOfRoom?: (() => boolean) | undefined
}

export function createConnectionWatch(
  target: DatabaseTarget,
  { turnMs = TURN_MS, isShortOfRoom = () => false }: WatchOptions = {},
): ConnectionWatch {
  const clients = new Set<WatchedClient>()
  const suspicion = new Suspicion(target)
  let refused: { kind: TroubleKind; atMs: number } | null = null
  let isStopping = false
  let isAway = false
  const turns = setInterval(() => {
    for (const client of clients) {
      const reason = countTurn(client, isStopping ? STOP_MS : Number.POSITIVE_INFINITY)
      if (reason !== null) client.giveUp(reason)
    }
    suspicion.look(clients)
  }, turnMs)
  turns.unref()
  // What one connection has learned holds for those that wait for their next user: each of them
  // would fail one request more. Opening another takes milliseconds.
  const dropIdle = (): void => {
    for (const client of clients) if (client.wait === null && client.isIdle) client.leave()
  }
  return {
    target,
    hosts: suspicion.hosts,
    add: (client) => void clients.add(client),
    remove: (client) => void clients.delete(client),
    noteTrouble(kind) {
      if (kind === 'read_only' || kind === 'unreachable') dropIdle()
      if (kind === 'read_only' || kind === 'disk_full') {
        refused = { kind, atMs: performance.now() }
      }
    },
    isShortOfRoom,
    noteUnopened() {
      isAway = true
    },
    assertOpen() {
      if (isStopping && isAway) throw new ConnectionGivenUp('the process stops')
    },
    findRefusedWrite: () =>
      refused === null ? null : { kind: refused.kind, agoMs: performance.now() - refused.atMs },
    hasten() {
      isStopping = true
      isAway = false
      for (const { wait } of clients) if (wait !== null) wait.waitedMs = 0
    },
    close() {
      clearInterval(turns)
      for (const client of clients) client.connection.stream.destroy()
    },
  }
}

/** The reason to give the connection up, or null. */
function countTurn(client: WatchedClient, limitMs: number): string | null {
  const { wait } = client
  if (wait === null) return null
  const { bytes } = client
  const hasMoved = bytes !== wait.bytes
  wait.bytes = bytes
  if (wait.isCopy && hasMoved) wait.waitedMs = 0
  wait.waitedMs += TURN_MS
  const allowedMs = Math.min(wait.limitMs, limitMs)
  if (wait.waitedMs < allowedMs) return null
  return `no answer to a statement within ${allowedMs} ms`
}

/**
 * Asks the server, on a connection of its own, whether it works on the statements that are waited
 * for long. A server that does not know them, or is idle, will never answer them: its answer was
 * lost on the way, or the statement was.
 */
class Suspicion {
  readonly hosts
  readonly #target: DatabaseTarget
  // How often in a row the server said that it does not work on the statement.
  readonly #verdicts = new WeakMap<object, { count: number; bytes: number }>()
  #restTurns = 0
  #isAsking = false

  constructor(target: DatabaseTarget) {
    this.#target = target
    this.hosts = createHostFinder(target)
  }

  look(clients: ReadonlySet<WatchedClient>): void {
    if (this.#isAsking) return
    this.#restTurns -= 1
    if (this.#restTurns > 0) return
    const suspects = [...clients].filter(
      ({ wait, backend }) => backend !== null && wait !== null && wait.waitedMs >= SUSPECT_MS,
    )
    if (suspects.length === 0) return
    this.#isAsking = true
    this.#ask(suspects)
      // A database that does not answer this either says nothing of the statements.
      .catch(() => undefined)
      .finally(() => {
        this.#isAsking = false
        this.#restTurns = ASK_PAUSE_TURNS
      })
  }

  async #ask(suspects: readonly WatchedClient[]): Promise<void> {
    const asked = suspects.map((client) => ({ client, wait: client.wait, bytes: client.bytes }))
    const working = await this.#listWorking(suspects)
    for (const { client, wait, bytes } of asked) {
      const { backend } = client
      if (wait === null || client.wait !== wait || backend === null) continue
      if (working.has(nameBackend(backend))) this.#verdicts.delete(wait)
      else this.#judge(client, wait, bytes)
    }
  }

  #judge(client: WatchedClient, wait: object, bytes: number): void {
    const before = this.#verdicts.get(wait)
    // A large answer may still be on its way when the server is idle again.
    const count = before !== undefined && before.bytes === bytes ? before.count + 1 : 1
    this.#verdicts.set(wait, { count, bytes })
    if (count >= VERDICTS) client.giveUp('its server does not work on the statement')
  }

  /** The processes among them that are at work, by their server. */
  async #listWorking(suspects: readonly WatchedClient[]): Promise<ReadonlySet<string>> {
    const pids = suspects.flatMap(({ backend }) => (backend === null ? [] : [backend.pid]))
    const host = await this.hosts.find()
    const client = openBriefClient(this.#target, host, ASK_TIMEOUT_MS)
    try {
      await client.connect()
      const { rows } = await client.query<{ pid: number; instance: string }>(
        `select pid, pg_postmaster_start_time()::text as instance
        from pg_stat_activity
        where pid = any($1) and coalesce(state, '') not in ('idle', 'idle in transaction', 'idle in transaction (aborted)')`,
        [pids],
      )
      return new Set(rows.map(nameBackend))
    } finally {
      closeBriefClient(client)
    }
  }
}

function nameBackend({ pid, instance }: { pid: number; instance: string }): string {
  return `${pid} of ${instance}`
}
