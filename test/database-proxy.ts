// Another way to the test's database, which a test can cut and mend.

import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SocketConnection } from './harness.ts'

export interface DatabaseProxy {
  readonly connection: SocketConnection
  /** Breaks every connection and takes no new ones. */
  readonly cut: () => Promise<void>
  readonly mend: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openDatabaseProxy(target: SocketConnection): Promise<DatabaseProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'casework-proxy-'))
  const socketName = `.s.PGSQL.${target.port}`
  const open = new Set<{ destroy: () => void }>()
  let server: Server | null = null
  const mend = async (): Promise<void> => {
    const listening = createServer((incoming) => {
      const outgoing = connect(join(target.host, socketName))
      for (const socket of [incoming, outgoing]) {
        open.add(socket)
        socket.on('error', () => undefined)
      }
      incoming.pipe(outgoing).pipe(incoming)
    })
    server = listening
    await new Promise<void>((resolve) => {
      listening.listen(join(folder, socketName), resolve)
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
    await closed
  }
  await mend()
  return {
    connection: { ...target, host: folder },
    cut,
    mend,
    close: async () => {
      await cut()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
