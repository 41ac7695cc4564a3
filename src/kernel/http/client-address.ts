// Who sent a request: the peer of its connection, or the client that trusted proxies name. Their
// header is read from the right (RFC 7239, X-Forwarded-For): each proxy adds the address that it
// saw, so everything left of the first address that no trusted proxy has may be made up.

import type { IncomingMessage } from 'node:http'
import { parseAddress, parseSocketAddress } from '../../values/address.ts'
import { type Range, rangeHolds } from '../../values/range.ts'

export interface ClientAddresses {
  /** Empty on the socket in the data folder. */
  readonly read: (message: IncomingMessage) => string
  /** Whether a connection of this peer carries requests of others. */
  readonly isProxy: (peer: string) => boolean
}

export interface ClientAddressOptions {
  /** CASEWORK_TRUSTED_PROXIES */
  readonly proxies: readonly Range[]
  /**
   * CASEWORK_PROXY_HEADER: the one header that the proxies set. The other one is never read, since
   * they may hand on what a client wrote into it.
   */
  readonly header: 'x-forwarded-for' | 'forwarded'
}

// More proxies than any request passes; what stands further left is not looked at.
const HOPS_MAX = 16

export function createClientAddresses({ proxies, header }: ClientAddressOptions): ClientAddresses {
  const isProxy = (peer: string): boolean => {
    if (proxies.length === 0) return false
    // An IPv4 client of an IPv6 socket counts as IPv4.
    const address = parseAddress(peer.replace(/%.*/, ''))
    return address !== null && proxies.some((proxy) => rangeHolds(proxy, address))
  }
  return {
    isProxy,
    read({ headers, socket }) {
      let client = socket.remoteAddress ?? ''
      if (!isProxy(client)) return client
      const value = headers[header]
      const text = Array.isArray(value) ? value.join(',') : (value ?? '')
      const hops = header === 'forwarded' ? listForwarded(text) : text.split(',')
      for (const hop of hops.slice(-HOPS_MAX).toReversed()) {
        const address = parseNode(hop.trim())
        // What cannot be read names no client: the last known address stands for it.
        if (address === null) return client
        client = address
        if (!isProxy(client)) return client
      }
      return client
    },
  }
}

/** The values of `for` of each element; an empty text for an element without one. */
function listForwarded(text: string): readonly string[] {
  const elements = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []
  return elements.map((element) => {
    const match = /(?:^|;)\s*for\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]+))\s*(?=;|$)/i.exec(element)
    return match?.[1] ?? match?.[2] ?? ''
  })
}

/** An address with or without a port and brackets; null for a name, `unknown` or `_hidden`. */
function parseNode(node: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(node)?.[1]
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(node)?.[1]
  const address = bracketed ?? withPort ?? node
  return parseSocketAddress(address) === null ? null : address
}
