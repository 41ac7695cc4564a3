// Answers that a client may keep if it asks first whether they still hold (RFC 9110 section
// 13.1.2).

import type { Reply } from '../../kernel/http/route.ts'

/**
 * 304 when the client holds this very answer, else 200 with `json` and the tag to ask with next
 * time.
 */
export function answerCached(
  fingerprint: string,
  ifNoneMatch: string | string[] | undefined,
  json: () => unknown,
): Reply {
  const etag = `"${fingerprint}"`
  // Look-ups may be closed to others, so a shared cache must not keep what one caller got.
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (matches(ifNoneMatch, etag)) return { status: 304, headers }
  return { status: 200, json: json(), headers }
}

function matches(ifNoneMatch: string | string[] | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = String(ifNoneMatch)
    .split(',')
    .map((tag) => tag.trim())
  // Proxies that compress an answer weaken its tag; the comparison is the weak one.
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}
