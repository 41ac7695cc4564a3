// What the settings of a tenant's resolver must be. The secret never leaves: it is sent to the
// origin that it was given for, and nowhere else.

import { type AllowList, readHost } from '../../kernel/outbound/allow-list.ts'
import { checkUrl } from '../../kernel/outbound/check-url.ts'
import { explainToTenant } from '../../kernel/outbound/outbound-outcome.ts'
import { shapeRequest } from '../../kernel/outbound/shape-request.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { mayGoInClear, OWN_HEADERS } from './ask-resolver.ts'
import type { OwnerResolverRecord, OwnerResolverSettings } from './owner-resolver-store.ts'

/** As it came, of the right shape. */
export interface OwnerResolverInput {
  readonly url: string
  readonly headerName: string | null
  /** Undefined keeps the one that is there, for the same origin and header. */
  readonly headerValue: string | null | undefined
  readonly timeoutMs: number
  readonly cacheSeconds: number
}

/** What is wrong with it is added to `problems`. */
export function decideSettings(
  input: OwnerResolverInput,
  current: OwnerResolverRecord | null,
  allow: AllowList,
  problems: FieldProblem[],
): OwnerResolverSettings {
  checkResolverUrl(input.url, allow, problems)
  const { headerName } = input
  const headerValue = decideSecret(input, current, problems)
  const headers = headerName === null ? {} : { [headerName]: headerValue ?? '' }
  const isOurs = headerName !== null && Object.hasOwn(OWN_HEADERS, headerName.toLowerCase())
  if (isOurs || shapeRequest({ method: 'POST', headers }, 0).kind === 'refused') {
    problems.push({ path: '/header_name', reason: 'or its value cannot be sent' })
  }
  if (headerName === null && headerValue !== null) {
    problems.push({ path: '/header_name', reason: 'is missing; header_value needs it' })
  }
  return { ...input, headerName, headerValue }
}

function checkResolverUrl(text: string, allow: AllowList, problems: FieldProblem[]): void {
  const checked = checkUrl(text, { allowHttp: true, allow })
  if (checked.kind === 'refused') {
    problems.push({ path: '/url', reason: `cannot be used: ${explainToTenant(checked)}` })
    return
  }
  const { url, target } = checked
  if (url.protocol === 'http:' && !mayGoInClear(text, allow)) {
    const place = `${readHost(url)}:${target.port}`
    const reason = `must start with https://, unless CASEWORK_OUTBOUND_ALLOW names ${place}`
    problems.push({ path: '/url', reason })
  }
}

function decideSecret(
  { url, headerName, headerValue }: OwnerResolverInput,
  current: OwnerResolverRecord | null,
  problems: FieldProblem[],
): string | null {
  if (headerValue !== undefined) return headerValue
  if (headerName === null || current === null || current.headerValue === null) return null
  const isSame =
    URL.parse(url)?.origin === URL.parse(current.url)?.origin &&
    headerName.toLowerCase() === current.headerName?.toLowerCase()
  if (isSame) return current.headerValue
  problems.push({
    path: '/header_value',
    reason: 'is missing: the one that is kept goes to the origin and header it was given for only',
  })
  return null
}
