// The `fetch` of the OpenID Connect library: every request goes through the guarded client, follows
// no redirect, and has bounds of its own.

import type { CustomFetch } from 'openid-client'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { explainToOperator } from '../../kernel/outbound/outbound-outcome.ts'

/** The provider gave no answer that could be judged. */
export class ProviderSilence extends Error {}

// A person waits in front of it.
const TIMEOUT_MS = 5_000
// Metadata and keys of large providers take some ten kilobytes.
const ANSWER_BYTES_MAX = 262_144

export function createOutboundFetch(
  outbound: Outbound,
  allowsPlainHttp: (url: string) => boolean,
): CustomFetch {
  return async (url, { method, headers, body }) => {
    const text = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : null
    const outcome = await outbound.request({
      method,
      url,
      headers,
      purpose: 'oidc',
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES_MAX,
      redirectsMax: 0,
      allowHttp: allowsPlainHttp(url),
      ...(text === null ? {} : { body: text }),
    })
    if (outcome.kind !== 'answer') throw new ProviderSilence(explainToOperator(outcome))
    const { status } = outcome
    if (status >= 500) throw new ProviderSilence(`The provider answered ${status}.`)
    const answer = status === 204 || status === 304 ? null : new Uint8Array(outcome.body)
    return new Response(answer, { status, headers: [...outcome.headers] })
  }
}
