// The short way of the hottest request: GET of a hot route whose path ends in its one parameter, spelled plainly. Finding the route in the
// framework costs a tenth of such a look-up (measured); whatever is not plain goes that way, which knows every spelling.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { RouteServer } from './serve-request.ts'

interface Lane {
  /** The path up to its parameter, `/beta/query/` for instance. */
  readonly prefix: string
  readonly parameter: string
  readonly server: RouteServer
}

/** The lanes that these routes have; a route is left to the framework when another route begins with the same path. */
export function findHotLanes(servers: readonly RouteServer[]): readonly Lane[] {
  return servers.flatMap((server) => {
    const { route } = server
    const match = /^(\/[^{}]*\/)\{(\w+)\}$/.exec(route.path)
    const [, prefix, parameter] = match ?? []
    if (prefix === undefined || parameter === undefined) return []
    if (route.method !== 'GET' || route.isHot !== true) return []
    const isShared = servers.some(
      (other) => other !== server && other.route.path.startsWith(prefix),
    )
    return isShared ? [] : [{ prefix, parameter, server }]
  })
}

/** Puts the lanes before whoever listens for requests of this server by now. */
export function openHotLanes(
  server: Server,
  lanes: readonly Lane[],
  chooseRequestId: (message: IncomingMessage) => string,
): void {
  const others = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    // A server that stops tells its clients to close their connections, which the framework does.
    if (message.method === 'GET' && server.listening) {
      const target = message.url ?? ''
      for (const { prefix, parameter, server: lane } of lanes) {
        if (!target.startsWith(prefix)) continue
        const text = target.slice(prefix.length)
        if (!isPlain(text)) break
        lane.serve(message, response, chooseRequestId(message), { [parameter]: text }, {})
        return
      }
    }
    for (const other of others) Reflect.apply(other, server, [message, response])
  })
}

// The longest domain name (RFC 1035 section 3.1); a longer text is no item, and the framework knows what it is.
const PLAIN_LENGTH_MAX = 253

// 1 for letters, digits, dot, hyphen, colon and underscore: what items are made of, and nothing that means something else in a target.
const PLAIN = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:_') {
  PLAIN[letter.charCodeAt(0)] = 1
}

function isPlain(text: string): boolean {
  const { length } = text
  if (length === 0 || length > PLAIN_LENGTH_MAX) return false
  for (let at = 0; at < length; at += 1) if (PLAIN[text.charCodeAt(at)] !== 1) return false
  return true
}
