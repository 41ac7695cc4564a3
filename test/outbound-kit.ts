// For the tests of the outbound client: a real server on loopback, a connector that records its
// targets and never leaves this machine, and names with fixed answers.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Connect, createConnect, type Peer } from '../src/kernel/outbound/connect.ts'
import type { ResolveName } from '../src/kernel/outbound/resolve-name.ts'
import { listenUntilEnd } from './loopback.ts'

export interface LoopbackServer {
  readonly port: number
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string
  /** `127.0.0.1:PORT`, as the allow-list takes it. */
  readonly socket: string
  readonly requests: readonly SeenRequest[]
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

interface Cleanup {
  readonly after: (work: () => Promise<void>) => void
}

/** Serves until the test ends. The handler runs when the body of the request has arrived. */
export async function startLoopback(
  t: Cleanup,
  handle: (request: SeenRequest, response: ServerResponse) => void,
): Promise<LoopbackServer> {
  const requests: SeenRequest[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const seen: SeenRequest = {
        method: message.method ?? '',
        path: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      requests.push(seen)
      handle(seen, response)
    })
  })
  const port = await listenUntilEnd(t, server)
  return { port, origin: `http://127.0.0.1:${port}`, socket: `127.0.0.1:${port}`, requests }
}

export interface RecordedConnect {
  readonly connect: Connect
  readonly peers: readonly Peer[]
}

/**
 * Connects to 127.0.0.1 and ::1 only; for every other address it says what a network without a
 * route says.
 */
export function recordConnect(inner: Connect = createConnect()): RecordedConnect {
  const peers: Peer[] = []
  return {
    peers,
    connect(peer, signal) {
      peers.push(peer)
      if (peer.address === '127.0.0.1' || peer.address === '::1') return inner(peer, signal)
      return Promise.reject(
        Object.assign(new Error('connect ENETUNREACH'), { code: 'ENETUNREACH' }),
      )
    },
  }
}

export interface RecordedResolve {
  readonly resolve: ResolveName
  readonly names: readonly string[]
}

/**
 * Answers each question for a name with the next of its answers, the last one again and again;
 * other names are unknown.
 */
export function recordResolve(
  answers: Readonly<Record<string, readonly (readonly string[])[]>>,
): RecordedResolve {
  const names: string[] = []
  return {
    names,
    resolve(name) {
      const earlier = names.filter((asked) => asked === name).length
      names.push(name)
      const known = answers[name] ?? []
      const answer = known[Math.min(earlier, known.length - 1)]
      return answer === undefined
        ? Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))
        : Promise.resolve(answer)
    },
  }
}
