// Asks one RDAP server about one address (RFC 7480, RFC 9082) through the guarded outbound client.
// Waits as long as a server requested by Retry-After.

import type { Clock } from '../../../kernel/clock.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import type { OutboundAnswer, OutboundOutcome } from '../../../kernel/outbound/outbound-outcome.ts'
import type { AddressItem } from '../../../values/address.ts'
import type { FailureReason } from '../../dns/dns-answer.ts'
import { parseRdapNetwork, type RdapNetwork } from './rdap-network.ts'

export type RdapAnswer =
  | { readonly kind: 'network'; readonly network: RdapNetwork }
  /** The registry knows no network around the address. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }

export interface RdapServers {
  /** Milliseconds until the server may be asked again; 0 when it may be asked now. */
  readonly pauseMs: (baseUrl: string) => number
  /** Never rejects. */
  readonly ask: (baseUrl: string, item: AddressItem) => Promise<RdapAnswer>
}

// Registries answer within a second, a busy one within a few. The look-up does not wait that long.
const TIMEOUT_MS = 8_000
// Answers have 5 to 40 KB; remarks make some larger.
const BYTES_MAX = 512 * 1_024
const REDIRECTS_MAX = 4
// RFC 6585 section 4 makes Retry-After optional. These bounds keep a missing or wrong value from
// flooding a registry or excluding it for good.
const PAUSE_DEFAULT_MS = 60_000
const PAUSE_MIN_MS = 1_000
const PAUSE_MAX_MS = 24 * 60 * 60_000

export function createRdapServers(outbound: Outbound, clock: Clock): RdapServers {
  const pausedUntilMs = new Map<string, number>()
  const pause = (url: string, untilMs: number): void => {
    pausedUntilMs.set(new URL(url).origin, untilMs)
  }
  return {
    pauseMs: (baseUrl) =>
      Math.max(0, (pausedUntilMs.get(new URL(baseUrl).origin) ?? 0) - clock.nowMs()),
    async ask(baseUrl, item) {
      const outcome = await outbound.request({
        method: 'GET',
        url: `${baseUrl}ip/${item.text}`,
        headers: { accept: 'application/rdap+json, application/json' },
        purpose: 'rdap',
        timeoutMs: TIMEOUT_MS,
        maxBytes: BYTES_MAX,
        redirectsMax: REDIRECTS_MAX,
        // Only when the bootstrap file has no https URL.
        allowHttp: baseUrl.startsWith('http:'),
      })
      if (outcome.kind === 'answer' && asksToWait(outcome)) {
        const untilMs = clock.nowMs() + readRetryAfterMs(outcome, clock.nowMs())
        // Also pause the server of the bootstrap file: it would only redirect there again.
        pause(outcome.url, untilMs)
        pause(baseUrl, untilMs)
      }
      return readOutcome(outcome, item)
    },
  }
}

function asksToWait({ status, headers }: OutboundAnswer): boolean {
  return status === 429 || (status === 503 && headers.has('retry-after'))
}

// RFC 9110 section 10.2.3: seconds, or a date.
function readRetryAfterMs({ headers }: OutboundAnswer, nowMs: number): number {
  const text = headers.get('retry-after') ?? ''
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs
  if (Number.isNaN(waitMs)) return PAUSE_DEFAULT_MS
  return Math.min(Math.max(waitMs, PAUSE_MIN_MS), PAUSE_MAX_MS)
}

function readOutcome(outcome: OutboundOutcome, item: AddressItem): RdapAnswer {
  if (outcome.kind === 'refused') return { kind: 'failed', reason: 'refused' }
  if (outcome.kind === 'failed') return { kind: 'failed', reason: reasonOf(outcome.reason) }
  if (outcome.status === 404) return { kind: 'absent' }
  if (outcome.status !== 200) return { kind: 'failed', reason: 'refused' }
  const network = parseRdapNetwork(outcome.body.toString('utf8'), item)
  return network === null ? { kind: 'failed', reason: 'malformed' } : { kind: 'network', network }
}

function reasonOf(
  reason: Extract<OutboundOutcome, { readonly kind: 'failed' }>['reason'],
): FailureReason {
  switch (reason) {
    case 'timeout':
    case 'cancelled':
      return 'timeout'
    case 'too_large':
    case 'malformed':
      return 'malformed'
    case 'unreachable':
    case 'broken_off':
    case 'dns':
    case 'tls':
    case 'busy':
      return 'refused'
  }
}
