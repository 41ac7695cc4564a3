// The short way of the hottest request: GET of a hot route whose path ends in its one parameter,
// spelled plainly. Finding the route in the framework costs a tenth of such a look-up (measured);
// whatever is not plain goes that way, which knows every spelling.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Route } from './route.ts'
import type { RouteServer } from './serve-request.ts'

interface Lane {
  /** The path up to its parameter, `/beta/query/` for instance. */
  readonly prefix: string
  readonly toParams: (text: string) => unknown
  readonly server: RouteServer
}

/**
 * The lanes that these routes have. A route is left to the framework when another route begins with
 * the same path, or asks more of its parameter than that it is text.
 */
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
    if (isShared || route.query !== undefined || !takesAnyText(route, parameter)) return []
    return [{ prefix, toParams: createParams(parameter), server }]
  })
}

// What is plain is then right, and need not be checked again.
function takesAnyText(route: Route, parameter: string): boolean {
  const { properties = {} }: { readonly properties?: Record<string, object> } = route.params ?? {}
  const [only, ...others] = Object.entries(properties)
  if (only?.[0] !== parameter || others.length > 0) return false
  const { description: _, ...asked } = { description: '', ...only[1] }
  return isDeepStrictEqual(asked, { type: 'string' })
}

// An object whose members are named as it is made costs 1.5 µs, a twentieth of a look-up; one of a
// known shape next to nothing (measured).
function createParams(parameter: string): (text: string) => unknown {
  const shape: Record<string, string> = { [parameter]: '' }
  return (text) => {
    const params = { ...shape }
    params[parameter] = text
    return params
  }
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
      for (const { prefix, toParams, server: lane } of lanes) {
        if (!target.startsWith(prefix)) continue
        const text = readPlain(target, prefix.length)
        if (text === null) break
        lane.servePlain(message, response, chooseRequestId(message), toParams(text))
        return
      }
    }
    for (const other of others) Reflect.apply(other, server, [message, response])
  })
}

// The longest domain name (RFC 1035 section 3.1); a longer text is no item, and the framework knows
// what it is.
const PLAIN_LENGTH_MAX = 253

// 1 for letters, digits, dot, hyphen, colon and underscore: what items are made of, and nothing
// that means something else in a target.
const PLAIN = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:_') {
  PLAIN[letter.charCodeAt(0)] = 1
}

/**
 * The rest of the target if it is plain, else null. The colon of IPv6 is the one letter that
 * clients are wont to encode.
 */
function readPlain(target: string, start: number): string | null {
  const text = target.slice(start)
  const plain = text.includes('%3') ? text.replaceAll(/%3a/gi, ':') : text
  const { length } = plain
  if (length === 0 || length > PLAIN_LENGTH_MAX) return null
  for (let at = 0; at < length; at += 1) if (PLAIN[plain.charCodeAt(at)] !== 1) return null
  return plain
}
