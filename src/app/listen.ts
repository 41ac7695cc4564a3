// Opens one listening socket: its backlog, its URL, and the sentence for an address that cannot be
// used.

import { readErrorCode } from '../kernel/db/trouble-codes.ts'
import { addressNotUsable, portTaken } from './errors.ts'
import type { buildHttp } from './http.ts'

// Node's 511 overflow when a thousand clients connect at once, and their next try comes after a
// second. The system may allow less (net.core.somaxconn).
const BACKLOG = 4_096

/**
 * Listens and returns the port. With `isShared` the other threads of this process can share the
 * port.
 */
export async function listen(
  app: ReturnType<typeof buildHttp>,
  host: string,
  port: number,
  isShared = false,
): Promise<number> {
  try {
    await app.listen({ host, port, backlog: BACKLOG, ...(isShared ? { reusePort: true } : {}) })
  } catch (error) {
    throw explainListenTrouble(error, host, port)
  }
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

export function explainListenTrouble(error: unknown, host: string, port: number): unknown {
  const code = readErrorCode(error)
  if (code === 'EADDRINUSE') return portTaken(host, port, error)
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return addressNotUsable(host, port, code, error)
  }
  return error
}

export function formatUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
