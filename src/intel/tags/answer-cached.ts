// Answers that a client may cache and revalidate with If-None-Match (RFC 9110 section 13.1.2).

import { matchesEtag } from '../../kernel/http/answer-unchanged.ts'
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
  if (matchesEtag(ifNoneMatch, etag)) return { status: 304, headers }
  return { status: 200, json: json(), headers }
}
