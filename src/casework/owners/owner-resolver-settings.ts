// Checks new settings of a tenant's resolver. The secret is never shown, and it is sent only to the
// origin that it was given for.

import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import { findTargetTrouble } from '../../kernel/outbound/check-target.ts'
import { shapeRequest } from '../../kernel/outbound/shape-request.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { OWN_HEADERS } from './ask-resolver.ts'
import type { OwnerResolverRecord, OwnerResolverSettings } from './owner-resolver-store.ts'

/** The settings as they were sent, of the right shape. */
export interface OwnerResolverInput {
  readonly url: string
  readonly headerName: string | null
  /** Undefined keeps the stored one, if origin and header are the same. */
  readonly headerValue: string | null | undefined
  readonly timeoutMs: number
  readonly cacheSeconds: number
}

/** Every fault is added to `problems`; the result is valid only when there is none. */
export function decideSettings(
  input: OwnerResolverInput,
  current: OwnerResolverRecord | null,
  allow: AllowList,
  problems: FieldProblem[],
): OwnerResolverSettings {
  const trouble = findTargetTrouble(input.url, allow)
  if (trouble !== null) problems.push({ path: '/url', reason: trouble })
  const { headerName } = input
  const headerValue = decideSecret(input, current, problems)
  if (headerName !== null) checkHeader(headerName, headerValue ?? '', problems)
  if (headerName === null && headerValue !== null) {
    problems.push({ path: '/header_name', reason: 'is missing; header_value needs it' })
  }
  return { ...input, headerName, headerValue }
}

function checkHeader(name: string, value: string, problems: FieldProblem[]): void {
  const isOurs = Object.hasOwn(OWN_HEADERS, name.toLowerCase())
  if (isOurs || !canBeSent({ [name]: '' })) {
    const reason = 'must be the name of a header that the service does not set itself'
    problems.push({ path: '/header_name', reason })
  } else if (!canBeSent({ [name]: value })) {
    const reason =
      'has a character that HTTP headers cannot carry (such as …, “ or a line break), or is too long'
    problems.push({ path: '/header_value', reason })
  }
}

function canBeSent(headers: Readonly<Record<string, string>>): boolean {
  return shapeRequest({ method: 'POST', headers }, 0).kind === 'fit'
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
    reason:
      'is missing: the stored one may only be sent to the origin and header that it was given for',
  })
  return null
}
