// A proxy in front of a mail server on loopback that counts the commands of its clients and breaks
// one of them. nodemailer sends one command a write, and a message in one or more writes.

import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../loopback.ts'

/** `refused`: the answer is 451. The two others as in statement-faults.ts. */
export type MailFault = 'refused' | 'lost' | 'unanswered'

export interface MailProxy {
  readonly port: number
  /** Decides for each write of a client whether it is broken. */
  meet: (() => MailFault | null) | null
  readonly close: () => Promise<void>
}

export async function openMailProxy(target: number): Promise<MailProxy> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let isUnanswered = false
    client.on('data', (chunk: Buffer) => {
      const fault = proxy.meet?.() ?? null
      if (fault === 'lost') client.destroy()
      else if (fault === 'refused') client.end('451 4.3.0 Try again later\r\n')
      else {
        isUnanswered ||= fault === 'unanswered'
        if (!upstream.destroyed) upstream.write(chunk)
      }
    })
    upstream.on('data', (chunk: Buffer) => {
      if (isUnanswered) client.destroy()
      else if (!client.destroyed) client.write(chunk)
    })
  })
  const proxy: MailProxy = {
    port: await listenOnLoopback(server),
    meet: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
  return proxy
}
