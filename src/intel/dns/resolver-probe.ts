// Finds out for CASEWORK_REVERSE_DNS=auto whether a DNS resolver works (design 4.4). A machine
// without DNS then gives complete answers without names at once, not partial ones after a wait.

import { every } from '../../kernel/async/every.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Answer } from './dns-answer.ts'
import type { DnsClient } from './dns-client.ts'

type ProbeVerdict = 'undecided' | 'on' | 'off'

export interface ResolverProbe {
  readonly verdict: () => ProbeVerdict
  /** One sentence for an operator. */
  readonly describe: () => string
  /** Resolves when the first probe has ended. */
  readonly decided: Promise<void>
  /** Probes now, or joins the running probe. */
  readonly probe: () => Promise<void>
  /** Call after a failed question: probes earlier, so that an outage is noticed within seconds. */
  readonly noteTrouble: () => void
  readonly close: () => Promise<void>
}

// The root zone of all reverse names. A resolver that finds its SOA record can find names, and the
// question reveals nothing about any user. A resolver without the Internet answers with an error or
// with "no such name". PTR of 127.0.0.1 would not do, since resolvers answer that themselves (RFC
// 6303).
export const PROBE_ZONE = 'in-addr.arpa'
const PROBE_PAUSE_MS = 60_000
const EARLY_PROBE_PAUSE_MS = 5_000

/** Starts the first probe and does not wait for it. */
export function startResolverProbe(client: DnsClient, clock: Clock, log: Log): ResolverProbe {
  let verdict: ProbeVerdict = 'undecided'
  let last: Answer<string> | null = null
  let lastAtMs = 0
  let underWay: Promise<void> | null = null
  let isClosed = false

  const probeOnce = async (): Promise<void> => {
    const answer = await client.askAuthority(PROBE_ZONE)
    // Closing ends the question, so the answer says nothing about the resolver.
    if (isClosed) return
    const former = verdict
    verdict = answer.kind === 'found' ? 'on' : 'off'
    last = answer
    lastAtMs = clock.nowMs()
    if (verdict !== former) log.info(describe())
  }
  const probe = (): Promise<void> => {
    underWay ??= probeOnce().finally(() => {
      underWay = null
    })
    return underWay
  }
  const describe = (): string => {
    if (verdict === 'undecided') return 'Reverse DNS is being probed for the first time.'
    if (verdict === 'on') return 'A DNS resolver answers, so look-ups show the names of addresses.'
    return `Reverse DNS is off because ${explain(last)}; look-ups leave reverseDns out. It is tried again every minute; name a resolver in CASEWORK_DNS_SERVERS, or set CASEWORK_REVERSE_DNS=off.`
  }
  const stop = every(PROBE_PAUSE_MS, probe, (error) =>
    log.warn('The DNS resolver could not be probed', { error: String(error) }),
  )
  return {
    verdict: () => verdict,
    describe,
    decided: probe(),
    probe,
    noteTrouble() {
      if (isClosed) return
      if (verdict === 'on' && clock.nowMs() - lastAtMs >= EARLY_PROBE_PAUSE_MS) void probe()
    },
    async close() {
      isClosed = true
      await stop()
      await underWay
    },
  }
}

function explain(answer: Answer<string> | null): string {
  if (answer?.kind === 'absent') return `the DNS resolver knows no ${PROBE_ZONE}`
  if (answer?.kind !== 'failed') return 'no DNS resolver was reached'
  switch (answer.reason) {
    case 'timeout':
      return 'no DNS resolver answers'
    case 'refused':
      return 'the DNS resolver refuses to answer or cannot be reached'
    case 'malformed':
      return 'the DNS resolver sends answers that cannot be read'
  }
}
