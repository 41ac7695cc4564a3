// Checks the URL of a target that a tenant names: https, unless the operator opened the target for
// plain HTTP (CASEWORK_OUTBOUND_ALLOW), and nothing that the guarded client would refuse.

import { type AllowList, readHost } from './allow-list.ts'
import { checkUrl } from './check-url.ts'
import { explainToTenant } from './outbound-outcome.ts'

/** Why the URL cannot be used, as the end of a sentence about it; null when it can. */
export function findTargetTrouble(text: string, allow: AllowList): string | null {
  const checked = checkUrl(text, { allowHttp: true, allow })
  if (checked.kind === 'refused') return `cannot be used: ${explainToTenant(checked)}`
  const { url, target } = checked
  if (url.protocol !== 'http:' || mayUsePlainHttp(text, allow)) return null
  return `must start with https://, unless CASEWORK_OUTBOUND_ALLOW names ${readHost(url)}:${target.port}`
}

/**
 * Plain HTTP is allowed only to targets in the operator's own network that the operator has named.
 */
export function mayUsePlainHttp(text: string, allow: AllowList): boolean {
  const checked = checkUrl(text, { allowHttp: true, allow })
  return checked.kind === 'fit' && allow.opensPort(checked.target)
}
