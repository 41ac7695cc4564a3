// Whether a request may carry a password or act by a cookie: from a page of our own, and not in
// clear over a network. Browsers say in Origin and Sec-Fetch-Site which page sent a request; other
// programs send neither and cannot be tricked into sending somebody's cookie.

import type { IncomingHttpHeaders } from 'node:http'
import { originNotOwn, signInNotSafe } from '../sign-in/errors.ts'

/** CASEWORK_PUBLIC_URL; null where people reach the program at http://localhost:PORT. */
export type PublicUrl = string | null

/** Throws 403 for a request that the page of another site has sent. */
export function assertOwnOrigin(publicUrl: PublicUrl, headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw originNotOwn()
  const { origin } = headers
  if (origin !== undefined && origin !== readOwnOrigin(publicUrl, headers)) throw originNotOwn()
}

/**
 * Throws 403 with the way out when a password would travel in clear. Behind a proxy with TLS this
 * program sees plain HTTP too. So with an https address a browser is judged by the Origin that it
 * names, and another program by what shows that it came through the proxy.
 */
export function assertSafeForPasswords(publicUrl: PublicUrl, headers: IncomingHttpHeaders): void {
  const { host = '', origin } = headers
  if (publicUrl === null || publicUrl.startsWith('http:')) {
    if (!isLoopbackHost(host)) throw signInNotSafe()
    return
  }
  if (origin !== undefined) {
    if (origin.startsWith('http:')) throw signInNotSafe()
    return
  }
  const isByProxy =
    host === new URL(publicUrl).host ||
    headers['x-forwarded-proto'] === 'https' ||
    headers['forwarded'] !== undefined ||
    headers['x-forwarded-for'] !== undefined
  if (!isByProxy && !isLoopbackHost(host)) throw signInNotSafe()
}

function readOwnOrigin(publicUrl: PublicUrl, { host = '' }: IncomingHttpHeaders): string | null {
  if (publicUrl !== null) return new URL(publicUrl).origin
  // Whatever port a container or a tunnel shows: a page at this host is ours.
  return isLoopbackHost(host) ? `http://${host}` : null
}

const LOOPBACK_NAME = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Of a Host header, with or without a port. */
function isLoopbackHost(host: string): boolean {
  return LOOPBACK_NAME.test(host.replace(/:\d{1,5}$/, ''))
}

/** The address at which people open the program, without a slash at its end. */
export function buildPublicUrl(publicUrl: PublicUrl, port: number): string {
  return publicUrl?.replace(/(?<!\/)\/+$/, '') ?? `http://localhost:${port}`
}
