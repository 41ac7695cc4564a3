// A proxy in front of the test's database that counts the statements of its clients and breaks one
// of them: before it reaches the server, or after the server has run it and before the answer.

import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SocketConnection } from '../harness.ts'

/** `lost`: the server never gets the statement. `unanswered`: it runs it, and nobody hears so. */
export type StatementFault = 'lost' | 'unanswered'

export interface StatementProxy {
  readonly connection: SocketConnection
  /** Breaks the statement with this number, counted from 1 on, and calls `onFault` first. */
  readonly arm: (nth: number, fault: StatementFault, onFault: () => void) => void
  /** Breaks nothing from now on. True when a statement was broken since `arm`. */
  readonly disarm: () => boolean
  /** Ends every connection and takes no new ones, as the end of the process that opened them. */
  readonly cut: () => void
  readonly mend: () => void
  readonly close: () => Promise<void>
}

interface Plan {
  left: number
  readonly fault: StatementFault
  readonly onFault: () => void
}

// Frontend messages that end a statement: Query of the simple protocol, Sync of the extended one
// (PostgreSQL protocol 3.0, section "Message Formats").
const QUERY = 0x51
const SYNC = 0x53
const READY_FOR_QUERY = 0x5a

export async function openStatementProxy(target: SocketConnection): Promise<StatementProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'casework-faults-'))
  const name = `.s.PGSQL.${target.port}`
  const open = new Set<Socket>()
  let plan: Plan | null = null
  let isCut = false
  let wasHit = false
  /** Null: pass the statement on. */
  const meetStatement = (): StatementFault | null => {
    if (plan === null) return null
    plan.left -= 1
    if (plan.left > 0) return null
    const { fault, onFault } = plan
    plan = null
    wasHit = true
    onFault()
    return fault
  }
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(join(target.host, name))
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    joinPair(client, upstream, meetStatement)
  })
  await new Promise<void>((resolve) => {
    server.listen(join(folder, name), resolve)
  })
  const cut = (): void => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    connection: { ...target, host: folder },
    arm(nth, fault, onFault) {
      plan = { left: nth, fault, onFault }
      wasHit = false
    },
    disarm() {
      plan = null
      return wasHit
    },
    cut,
    mend: () => {
      isCut = false
    },
    async close() {
      cut()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function joinPair(
  client: Socket,
  upstream: Socket,
  meetStatement: () => StatementFault | null,
): void {
  const requests = createFrames(true)
  const answers = createFrames(false)
  let isUnanswered = false
  client.on('data', (chunk: Buffer) => {
    for (const { type, bytes } of requests(chunk)) {
      const fault = type === QUERY || type === SYNC ? meetStatement() : null
      if (fault === 'lost') {
        client.destroy()
        return
      }
      isUnanswered ||= fault === 'unanswered'
      if (!upstream.destroyed) upstream.write(bytes)
    }
  })
  upstream.on('data', (chunk: Buffer) => {
    for (const { type, bytes } of answers(chunk)) {
      if (isUnanswered) {
        if (type !== READY_FOR_QUERY) continue
        client.destroy()
        return
      }
      if (!client.destroyed) client.write(bytes)
    }
  })
}

interface Frame {
  /** Null for the first message of a client, which has none. */
  readonly type: number | null
  readonly bytes: Buffer
}

/** Cuts a stream into messages. Each has a type of one byte and a length that counts itself. */
function createFrames(startsWithoutType: boolean): (chunk: Buffer) => readonly Frame[] {
  let rest = Buffer.alloc(0)
  let isFirst = startsWithoutType
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    for (;;) {
      const head = isFirst ? 0 : 1
      if (rest.length < head + 4) return frames
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return frames
      frames.push({ type: isFirst ? null : (rest[0] ?? null), bytes: rest.subarray(0, length) })
      rest = rest.subarray(length)
      isFirst = false
    }
  }
}
