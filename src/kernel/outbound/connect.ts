// Opens the connection to one checked address, without a DNS lookup, an agent or a proxy.

import { connect as connectTcp, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { startDeadline, toError, untilAborted } from '../async/deadline.ts'

export interface Peer {
  readonly address: string
  readonly port: number
  /**
   * For https: the host of the URL, which is sent as SNI (when it is a name) and compared with the
   * certificate. Null for http.
   */
  readonly secureHost: string | null
}

/**
 * Resolves with a connection that is ready to be written to; when `signal` aborts it rejects and
 * leaves nothing open.
 */
export type Connect = (peer: Peer, signal: AbortSignal) => Promise<Duplex>

/**
 * The TCP connection is open, but the TLS handshake failed or the certificate is not valid for the
 * host.
 */
export class TlsTrouble extends Error {
  constructor(cause: unknown) {
    super('No secure connection', { cause })
    this.name = 'TlsTrouble'
  }
}

export interface ConnectOptions {
  /**
   * Certificate authorities in PEM to trust instead of the system's. Operators add theirs with
   * NODE_EXTRA_CA_CERTS.
   */
  readonly authorities?: string
}

export function createConnect(options: ConnectOptions = {}): Connect {
  return (peer, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(toError(signal.reason))
        return
      }
      const socket =
        peer.secureHost === null
          ? connectTcp({ host: peer.address, port: peer.port })
          : openSecure(peer, peer.secureHost, options)
      let isTcpOpen = false
      const stop = (): void => signal.removeEventListener('abort', onAbort)
      const onAbort = (): void => {
        stop()
        socket.destroy()
        reject(toError(signal.reason))
      }
      signal.addEventListener('abort', onAbort, { once: true })
      socket.once('connect', () => {
        isTcpOpen = true
      })
      // Stays for the life of the socket: an error between here and the HTTP parser would otherwise
      // be unhandled and end the process.
      socket.on('error', (error) => {
        stop()
        reject(isTcpOpen ? new TlsTrouble(error) : error)
      })
      socket.once(peer.secureHost === null ? 'connect' : 'secureConnect', () => {
        stop()
        resolve(socket)
      })
    })
}

function openSecure(peer: Peer, host: string, options: ConnectOptions): TLSSocket | Socket {
  return connectTls({
    host: peer.address,
    port: peer.port,
    // RFC 6066 section 3: no SNI for addresses; the certificate is then compared with the address.
    servername: host === peer.address ? '' : host,
    // Set here, because the default follows NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    ...(options.authorities === undefined ? {} : { ca: options.authorities }),
  })
}

/**
 * Connects to the first of these peers that accepts the connection, each with its share of the
 * time. Rejects with the error of the last one. After a TLS error no further peer is tried, because
 * it is most likely the same server.
 */
export async function connectToFirst(
  connect: Connect,
  peers: readonly Peer[],
  timeoutMs: number,
  outer: AbortSignal,
): Promise<Duplex> {
  let trouble: unknown
  for (const peer of peers) {
    const deadline = startDeadline(timeoutMs / peers.length, [outer])
    try {
      // One after the other: the second is for a machine on which one IP version does not work.
      // oxlint-disable-next-line eslint/no-await-in-loop
      return await connectWithin(connect(peer, deadline.signal), deadline.signal)
    } catch (error) {
      if (outer.aborted || error instanceof TlsTrouble) throw error
      trouble = error
    } finally {
      deadline.clear()
    }
  }
  throw toError(trouble)
}

// A connection that opens after its deadline has no user, so it is closed.
async function connectWithin(opening: Promise<Duplex>, signal: AbortSignal): Promise<Duplex> {
  try {
    return await untilAborted(opening, signal)
  } catch (error) {
    opening.then(
      (late) => late.destroy(),
      () => {},
    )
    throw error
  }
}
