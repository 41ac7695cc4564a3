// The cookies of a signed-in browser (RFC 6265bis). `__Host-` binds a cookie to one host and to
// TLS. Some browsers keep no Secure cookie of http://localhost, so plain HTTP on loopback has names
// of its own, which are never read where CASEWORK_PUBLIC_URL is https.

export interface CookieNames {
  readonly session: string
  readonly device: string
  /** Of a sign-in with a provider that is under way. */
  readonly provider: string
  /** Of a sign-in that is not done: it waits for a second factor, or for a passkey. */
  readonly step: string
  readonly isSecure: boolean
}

const SECURE_NAMES: CookieNames = {
  session: '__Host-casework-session',
  device: '__Host-casework-device',
  provider: '__Host-casework-provider',
  step: '__Host-casework-step',
  isSecure: true,
}
const LOOPBACK_NAMES: CookieNames = {
  session: 'casework-session-local',
  device: 'casework-device-local',
  provider: 'casework-provider-local',
  step: 'casework-step-local',
  isSecure: false,
}

export function chooseCookieNames(publicUrl: string | null): CookieNames {
  return publicUrl?.startsWith('https:') === true ? SECURE_NAMES : LOOPBACK_NAMES
}

// The browser may send what other programs of the host have set; ours are 43 characters.
const SECRET_PATTERN = /^[A-Za-z0-9_-]{43}$/

/** The secret in the cookie of that name, or null. Of two the first counts. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue
    const value = part.slice(equals + 1).trim()
    return SECRET_PATTERN.test(value) ? value : null
  }
  return null
}

/** `maxAgeSeconds` 0 deletes it. */
export function writeCookie(
  { isSecure }: CookieNames,
  name: string,
  value: string,
  maxAgeSeconds: number,
): string {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}
