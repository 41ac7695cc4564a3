// A proxy in front of the test's database whose connections a test can break or freeze.

import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SocketConnection } from './harness.ts'

export interface DatabaseProxy {
  readonly connection: SocketConnection
  /** Breaks every connection and takes no new ones. */
  readonly cut: () => Promise<void>
  readonly mend: () => Promise<void>
  /** Keeps every connection and passes no data on, like a server that is suspended. */
  readonly freeze: () => void
  /**
   * From now on open connections swallow everything and stay open, as connections to a machine that
   * has lost its power do; new ones reach the database.
   */
  readonly swallow: () => void
  /** Passes no data on for new connections; open connections continue. */
  readonly holdNew: () => void
  /** The text of every statement since the proxy was opened, those of transactions included. */
  readonly statements: () => readonly string[]
  /** Ends `freeze` or `holdNew`, and sends the data that was held back. */
  readonly thaw: () => void
  readonly close: () => Promise<void>
}

/** By its Unix socket, or by TCP to a server that CASEWORK_TEST_DATABASE_URL names so. */
export function connectToServer(target: SocketConnection): Socket {
  return target.host.startsWith('/')
    ? connect(join(target.host, nameSocket(target)))
    : connect(target.port, target.host)
}

function nameSocket({ port }: SocketConnection): string {
  return `.s.PGSQL.${port}`
}

export async function openDatabaseProxy(target: SocketConnection): Promise<DatabaseProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'casework-proxy-'))
  const open = new Set<Socket>()
  const pairs = new Set<readonly [Socket, Socket]>()
  let isFrozen = false
  const held = new Set<readonly [Socket, Socket]>()
  let holdsNew = false
  let server: Server | null = null
  const statements: string[] = []
  const mend = async (): Promise<void> => {
    const listening = createServer((incoming) => {
      const outgoing = connectToServer(target)
      for (const socket of [incoming, outgoing]) {
        open.add(socket)
        socket.on('error', () => undefined)
      }
      const note = noteStatements(statements)
      incoming.on('data', note)
      // Nothing is read before the pair is connected.
      incoming.pause()
      const pair = [incoming, outgoing] as const
      pairs.add(pair)
      if (holdsNew) held.add(pair)
      else if (!isFrozen) connectPair(pair)
    })
    server = listening
    await new Promise<void>((resolve) => {
      listening.listen(join(folder, nameSocket(target)), resolve)
    })
  }
  const cut = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => {
      if (server === null) resolve()
      else server.close(() => resolve())
    })
    server = null
    for (const socket of open) socket.destroy()
    open.clear()
    pairs.clear()
    await closed
  }
  await mend()
  return {
    connection: { ...target, host: folder },
    cut,
    mend,
    statements: () => [...statements],
    freeze() {
      isFrozen = true
      for (const pair of pairs) for (const socket of pair) socket.unpipe()
    },
    swallow() {
      for (const [incoming, outgoing] of pairs) {
        incoming.unpipe()
        outgoing.unpipe()
        incoming.resume()
        outgoing.destroy()
      }
      pairs.clear()
    },
    holdNew() {
      holdsNew = true
    },
    thaw() {
      for (const pair of isFrozen ? pairs : held) connectPair(pair)
      isFrozen = false
      holdsNew = false
      held.clear()
    },
    close: async () => {
      await cut()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const LENGTH_BYTES = 4
const QUERY = 'Q'.charCodeAt(0)
const PARSE = 'P'.charCodeAt(0)

/**
 * Reads the messages of one client (PostgreSQL, "Message Formats"). The driver names no prepared
 * statement, so each statement is one message Query or one message Parse.
 */
function noteStatements(statements: string[]): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      // The first message has no type.
      const start = isStarted ? 1 : 0
      if (rest.length < start + LENGTH_BYTES) return
      const end = start + rest.readInt32BE(start)
      if (rest.length < end) return
      const text = rest.toString('utf8', start + LENGTH_BYTES, end).split('\0')
      if (isStarted && rest[0] === QUERY) statements.push(text[0] ?? '')
      // The name of the statement comes first.
      if (isStarted && rest[0] === PARSE) statements.push(text[1] ?? '')
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}

function connectPair([incoming, outgoing]: readonly [Socket, Socket]): void {
  incoming.pipe(outgoing).pipe(incoming)
}
