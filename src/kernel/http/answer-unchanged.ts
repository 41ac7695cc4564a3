// Revalidation of answers about one record (RFC 9110 section 13.1.2): a client that has the answer
// already gets 304 without it.

import { createHash } from 'node:crypto'
import type { Route } from './route.ts'

/** Whether a route answers one record, which its name says, and gives no tag of its own. */
export function isTaggedWhole({
  method,
  group,
  operationId,
  hasVersionTag,
}: Pick<Route, 'method' | 'group' | 'operationId' | 'hasVersionTag'>): boolean {
  if (method !== 'GET' || group === 'system' || hasVersionTag === true) return false
  return /^(?:get|explain)[A-Z]/.test(operationId)
}

/** A strong validator: the same for the same bytes only. */
export function buildEtag(text: string | Buffer): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
}

/** Whether `If-None-Match` names the tag. */
export function matchesEtag(ifNoneMatch: string | string[] | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = [ifNoneMatch]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
  // A proxy that compresses an answer weakens its ETag, so the comparison is the weak one.
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}
