// Where passkeys work: a browser binds them to a host name (WebAuthn section 5.1.2), so to no IP
// address, and uses them over TLS or at localhost only.

import { isIP } from 'node:net'
import type { PublicUrl } from '../sessions/check-origin.ts'

export type PasskeyLocation =
  | { readonly kind: 'works'; readonly rpId: string; readonly origin: string }
  /** `reason` is for people. */
  | { readonly kind: 'none'; readonly reason: string }

/** `host` is the header of the request, which counts while CASEWORK_PUBLIC_URL is not set. */
export function findPasskeyLocation(
  publicUrl: PublicUrl,
  host: string | undefined,
): PasskeyLocation {
  const url = readUrl(publicUrl ?? `http://${host ?? ''}`)
  if (url === null) return { kind: 'none', reason: NO_NAME }
  const { hostname, protocol, origin } = url
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return { kind: 'none', reason: NO_NAME }
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal) return { kind: 'none', reason: NO_TLS }
  return { kind: 'works', rpId: hostname, origin }
}

const NO_NAME =
  'Passkeys belong to a host name, and this is the address of a machine. Open http://localhost instead, or set CASEWORK_PUBLIC_URL to an https address with a name.'
const NO_TLS =
  'Browsers use passkeys over https only, except at http://localhost. Put a reverse proxy with TLS in front, and set CASEWORK_PUBLIC_URL to its https address.'

function readUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
