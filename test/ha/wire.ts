// The wire to a machine: a TCP proxy on loopback whose connections can fall silent, as those to a
// machine that has lost its power, and which can lead elsewhere, as a name after a failover.

import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { atEnd } from '../postgres-harness.ts'
import type { Address } from './machines.ts'

export interface Wire {
  /** Swallows everything and answers nothing, without FIN and RST; on new connections too. */
  readonly silence: () => void
  /** Passes new connections on. Those that are silent stay so. */
  readonly mend: () => void
  /** New connections go to another place; open ones stay. */
  readonly leadTo: (target: Address) => void
  /** Closes the open connections. */
  readonly cut: () => void
}

interface Pair {
  readonly incoming: Socket
  /** Null when the connection is silent. */
  outgoing: Socket | null
}

export async function openWire(t: TestContext, listen: Address, first: Address): Promise<Wire> {
  let target = first
  let isSilent = false
  const open = new Set<Pair>()
  const server = createServer({ noDelay: true }, (incoming) => {
    const outgoing = isSilent ? null : connect({ ...target, noDelay: true })
    const pair: Pair = { incoming, outgoing }
    open.add(pair)
    const end = (): void => {
      open.delete(pair)
      incoming.destroy()
      pair.outgoing?.destroy()
    }
    incoming.on('error', () => undefined).on('close', end)
    outgoing
      ?.on('error', () => undefined)
      .on('close', () => {
        if (pair.outgoing !== null) end()
      })
    if (outgoing === null) incoming.resume()
    else incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listen.port, listen.host, resolve)
  })
  const cut = (): void => {
    for (const { incoming } of open) incoming.destroy()
  }
  atEnd(t, async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    cut()
    await closed
  })
  return {
    silence() {
      isSilent = true
      for (const pair of open) {
        const { incoming, outgoing } = pair
        pair.outgoing = null
        incoming.unpipe()
        outgoing?.unpipe()
        outgoing?.destroy()
        incoming.resume()
      }
    },
    mend() {
      isSilent = false
    },
    leadTo(next) {
      target = next
    },
    cut,
  }
}
