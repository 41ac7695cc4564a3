// Sends questions to DNS; the answer is found, absent or failed. Node's resolver does the protocol:
// ids, retries, TCP after truncation.

import { promises as dns } from 'node:dns'
import { limit, QueueFull } from '../../kernel/async/limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import { readErrorCode } from '../../kernel/db/trouble-codes.ts'
import { settingsNotUsable } from '../../kernel/errors.ts'
import { ABSENT, type Answer, type FailureReason } from './dns-answer.ts'

export interface DnsClientOptions {
  /** Each an address or address:port; empty means the servers of the system. */
  readonly servers: readonly string[]
  readonly clock: Clock
  /** How long a look-up waits. The second try for a question still falls within it. */
  readonly deadlineMs: number
}

export interface DnsClient {
  /** The targets of the PTR records of this name, as DNS gave them. */
  readonly askPointers: (name: string) => Promise<Answer<readonly string[]>>
  /** The TXT records of this name; the strings of each record are joined. */
  readonly askTexts: (name: string) => Promise<Answer<readonly string[]>>
  /** The primary server named in the SOA record of this zone. */
  readonly askAuthority: (zone: string) => Promise<Answer<string>>
  /**
   * The MX records of this domain; an empty `exchange` means that it accepts no mail (RFC 7505).
   */
  readonly askMailExchanges: (domain: string) => Promise<Answer<readonly MailExchange[]>>
  /**
   * The A and AAAA records of this name, IPv4 first. Found when one kind is found; failed when one
   * question failed and the other found none.
   */
  readonly askAddresses: (name: string) => Promise<Answer<readonly string[]>>
  /** Ends all running questions; each is answered as timed out. */
  readonly close: () => void
}

export interface MailExchange {
  readonly exchange: string
  /** The lowest is tried first. */
  readonly priority: number
}

// The first try gets a third of the deadline. A packet that is lost twice counts as an outage.
const TRIES = 3
// A question is one small packet and a few hundred bytes of memory. A small resolver answers some
// thousands a second.
const RUNNING_MAX = 256
const WAITING_MAX = 4_096
// The system settings change when a machine moves to another network, but c-ares reads them only
// when a resolver is opened. So a failure opens a new one, at most this often.
const RENEW_PAUSE_MS = 30_000

/** Throws the operating error of an unusable setting when a server is no address. */
export function openDnsClient(options: DnsClientOptions): DnsClient {
  const { clock, deadlineMs } = options
  const questions = limit(RUNNING_MAX, {
    queueMax: WAITING_MAX,
    queueWaitMaxMs: deadlineMs,
    nowMs: clock.nowMs,
  })
  let resolver = openResolver(options)
  let openedAtMs = clock.nowMs()
  let former: dns.Resolver | null = null
  let isClosed = false

  const renewIfStale = (): void => {
    if (options.servers.length > 0 || isClosed) return
    if (clock.nowMs() - openedAtMs < RENEW_PAUSE_MS) return
    // Running questions end on the resolver they began with.
    former?.cancel()
    former = resolver
    resolver = openResolver(options)
    openedAtMs = clock.nowMs()
  }

  async function ask<Value>(work: (open: dns.Resolver) => Promise<Value>): Promise<Answer<Value>> {
    if (isClosed) return { kind: 'failed', reason: 'timeout' }
    try {
      return { kind: 'found', value: await questions.run(() => work(resolver)) }
    } catch (error) {
      if (error instanceof QueueFull) return { kind: 'failed', reason: 'timeout' }
      const answer = explainDnsTrouble(error)
      if (answer.kind === 'failed') renewIfStale()
      return answer
    }
  }

  return {
    askPointers: (name) => ask((open) => open.resolvePtr(name)),
    askTexts: (name) =>
      ask(async (open) => {
        const records = await open.resolveTxt(name)
        return records.map((strings) => strings.join(''))
      }),
    askAuthority: (zone) =>
      ask(async (open) => {
        const record = await open.resolveSoa(zone)
        return record.nsname
      }),
    askMailExchanges: (domain) => ask((open) => open.resolveMx(domain)),
    async askAddresses(name) {
      const answers = await Promise.all([
        ask((open) => open.resolve4(name)),
        ask((open) => open.resolve6(name)),
      ])
      const addresses = answers.flatMap((answer) => (answer.kind === 'found' ? answer.value : []))
      if (addresses.length > 0) return { kind: 'found', value: addresses }
      return answers.find((answer) => answer.kind === 'failed') ?? ABSENT
    },
    close() {
      isClosed = true
      former?.cancel()
      resolver.cancel()
    },
  }
}

function openResolver({ servers, deadlineMs }: DnsClientOptions): dns.Resolver {
  const resolver = new dns.Resolver({
    timeout: Math.ceil(deadlineMs / TRIES),
    tries: TRIES,
    maxTimeout: deadlineMs,
  })
  if (servers.length === 0) return resolver
  try {
    resolver.setServers([...servers])
  } catch (error) {
    if (readErrorCode(error) !== 'ERR_INVALID_IP_ADDRESS') throw error
    throw settingsNotUsable([
      `CASEWORK_DNS_SERVERS must list addresses such as 192.0.2.53 or [2001:db8::53]:5353, not ${servers.join(',')}`,
    ])
  }
  return resolver
}

const ABSENT_CODES = new Set([
  'ENOTFOUND', // NXDOMAIN
  'ENODATA', // The name exists, but not with this type.
])

const FAILURE_REASONS: Readonly<Record<string, FailureReason>> = {
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
  ESERVFAIL: 'refused',
  EREFUSED: 'refused',
  ENOTIMP: 'refused',
  ECONNREFUSED: 'refused',
  EFORMERR: 'malformed',
  EBADRESP: 'malformed',
  EBADNAME: 'malformed',
}

function explainDnsTrouble(error: unknown): Answer<never> {
  const code = readErrorCode(error) ?? ''
  if (ABSENT_CODES.has(code)) return ABSENT
  // A code that is not listed comes from the operating system (no network, no sockets left): no
  // server was reached.
  return { kind: 'failed', reason: FAILURE_REASONS[code] ?? 'refused' }
}
