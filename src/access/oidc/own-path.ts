// The page that a person asked for before the sign-in. It comes from a URL that anybody can write,
// so only a path of this site is taken (OWASP: unvalidated redirects and forwards).

/** Of a path with its query; a longer one is left out. */
const OWN_PATH_LENGTH_MAX = 2_048

// Browsers take `//` and `/\` for the beginning of another host, and skip control characters first.
// oxlint-disable-next-line eslint/no-control-regex -- they are what is refused
const OWN_PATH = /^\/(?![/\\])[^\u0000-\u0020\u007F\\]*$/

// Reserved by RFC 2606, so that no text can name it by chance.
const BASE = 'http://casework.invalid'

/** The path with query and fragment as a browser reads it; null for what may lead elsewhere. */
export function readOwnPath(text: string | undefined): string | null {
  if (text === undefined || text.length > OWN_PATH_LENGTH_MAX || !OWN_PATH.test(text)) return null
  const url = URL.parse(text, BASE)
  if (url === null || url.origin !== BASE) return null
  const path = url.pathname + url.search + url.hash
  // `/x/..//host` is `//host` once it is read.
  return path.length <= OWN_PATH_LENGTH_MAX && OWN_PATH.test(path) ? path : null
}
