// Paths: that of a request, and the routes that have it whatever their method, for 405 and its
// Allow header.

import type { Route } from './route.ts'

export type PathTable = readonly {
  readonly route: Route
  readonly pattern: { readonly test: (path: string) => boolean }
}[]

/** Tests whether a path as sent is one of this route. */
export function matchPath(route: Route): { readonly test: (path: string) => boolean } {
  const parts = route.path
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&')))
  const pattern = new RegExp(`^${parts.join('')}$`)
  return {
    test: (path) => pattern.test(path) || pattern.test(decodeUnreserved(path)),
  }
}

// `/beta/%74ags` is `/beta/tags` (RFC 3986 section 6.2.2.2); an encoded slash stays what it is,
// part of a value.
function decodeUnreserved(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded
  })
}
