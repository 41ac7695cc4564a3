// Answers that a client may cache and revalidate with If-None-Match (RFC 9110 section 13.1.2).

import type { Reply } from '../../kernel/http/route.ts'

/** 304 when the client has this answer cached, else 200 with `json` and an ETag. */
export function answerCached(
  fingerprint: string,
  ifNoneMatch: string | string[] | undefined,
  json: () => unknown,
): Reply {
  const etag = `"${fingerprint}"`
  // Look-ups may need a token, so a shared cache must not store the answer to one caller.
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (matches(ifNoneMatch, etag)) return { status: 304, headers }
  return { status: 200, json: json(), headers }
}

function matches(ifNoneMatch: string | string[] | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = String(ifNoneMatch)
    .split(',')
    .map((tag) => tag.trim())
  // A proxy that compresses an answer weakens its ETag, so the comparison is the weak one.
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}
