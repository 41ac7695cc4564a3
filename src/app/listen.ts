// Opens one listening socket: its backlog, its URL, and the sentence for an address that cannot be
// used.

import type { Config } from '../kernel/config.ts'
import { readErrorCode } from '../kernel/db/trouble-codes.ts'
import { addressNotUsable, type ListenAddress, portTaken } from './errors.ts'
import type { buildHttp } from './http.ts'

/** Where the main listener is to listen. */
export function mainAddress({ host, port }: Pick<Config, 'host' | 'port'>): ListenAddress {
  return { host, port, hostFlag: '--host', portFlag: '--port' }
}

/** Where the intel group's own listener is to listen; null when it has none. */
export function intelAddress({
  host,
  intelPort: port,
}: Pick<Config, 'host' | 'intelPort'>): ListenAddress | null {
  return port === null ? null : { host, port, hostFlag: '--host', portFlag: '--intel-port' }
}

/** Where the listener for monitoring is to listen; null when it has none. */
export function opsAddress({
  opsHost: host,
  opsPort: port,
}: Pick<Config, 'opsHost' | 'opsPort'>): ListenAddress | null {
  return port === null ? null : { host, port, hostFlag: '--ops-host', portFlag: '--ops-port' }
}

// Node's 511 overflow when a thousand clients connect at once, and their next try comes after a
// second. The system may allow less (net.core.somaxconn).
const BACKLOG = 4_096

/**
 * Listens and returns the port. With `isShared` the other threads of this process can share the
 * port.
 */
export async function listen(
  app: ReturnType<typeof buildHttp>,
  address: ListenAddress,
  isShared = false,
): Promise<number> {
  const { host, port } = address
  try {
    await app.listen({ host, port, backlog: BACKLOG, ...(isShared ? { reusePort: true } : {}) })
  } catch (error) {
    throw explainListenTrouble(error, address)
  }
  const bound = app.server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : port
}

export function explainListenTrouble(error: unknown, address: ListenAddress): unknown {
  const code = readErrorCode(error)
  if (code === 'EADDRINUSE') return portTaken(address, error)
  if (code !== null && NOT_USABLE.has(code)) return addressNotUsable(address, code, error)
  return error
}

const NOT_USABLE: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  // A name that is not known, and one that no resolver could be asked about.
  'ENOTFOUND',
  'EAI_AGAIN',
  // An IPv6 address on a machine without IPv6.
  'EAFNOSUPPORT',
])

export function formatUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
