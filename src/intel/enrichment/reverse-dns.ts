// Reverse DNS: the names of an address from DNS, with a cache (design 4.4, interface 2.3
// `reverseDns.current`).

import type { Clock } from '../../kernel/clock.ts'
import type { Config } from '../../kernel/config.ts'
import type { Log } from '../../kernel/log.ts'
import type { ReadinessFinding } from '../../kernel/readiness.ts'
import { type AddressItem } from '../../values/address.ts'
import type { Item } from '../../values/item.ts'
import { type Range, rangeHolds, requireRange } from '../../values/range.ts'
import { ABSENT, type Answer } from '../dns/dns-answer.ts'
import type { DnsClient } from '../dns/dns-client.ts'
import { type ResolverProbe, startResolverProbe } from '../dns/resolver-probe.ts'
import { isBogon } from '../facts/bogon.ts'
import { type AnswerRecord, createAnswerRecord, type Trouble } from './answer-record.ts'
import { type CachedQuestion, createCachedQuestion } from './cached-question.ts'
import type { EnrichmentMetrics } from './enrichment-metrics.ts'
import { type Enricher, OFF } from './enrichment-outcome.ts'
import { reverseName } from './reverse-name.ts'

export interface ReverseDnsOptions {
  readonly client: DnsClient
  readonly config: Pick<Config, 'reverseDns' | 'intelAccess'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: EnrichmentMetrics
}

export interface ReverseDns extends Enricher<readonly string[]> {
  readonly check: () => ReadinessFinding
  /** Null unless the setting is `auto`. */
  readonly probe: ResolverProbe | null
}

// Node's resolver does not give the TTL of PTR records, so fixed times are used. Names of addresses
// change over days, and an hour is the shortest common TTL.
const FOUND_TTL_MS = 60 * 60_000
// RFC 2308 section 5 recommends one to three hours for negative answers. A name that is just being
// set up should appear sooner.
const ABSENT_TTL_MS = 15 * 60_000
// RFC 9520 section 3.2 asks for at least one second and suggests five.
const FAILED_TTL_MS = 5_000
const ENTRIES_MAX = 50_000
// The owner of an address decides how many names it has; shared hosts have hundreds. No one reads
// more than these.
const NAMES_MAX = 50

/** Starts the probe in the mode `auto`. */
export function openReverseDns(options: ReverseDnsOptions): ReverseDns {
  const { client, config, clock, log } = options
  const probe = config.reverseDns === 'auto' ? startResolverProbe(client, clock, log) : null
  const question: CachedQuestion<readonly string[]> = createCachedQuestion({
    clock,
    entriesMax: ENTRIES_MAX,
    foundTtlMs: FOUND_TTL_MS,
    absentTtlMs: ABSENT_TTL_MS,
    failedTtlMs: FAILED_TTL_MS,
    counter: options.metrics.queries,
    enricher: 'reverse_dns',
  })
  const record = createAnswerRecord(clock)
  const askNames = async (address: AddressItem): Promise<Answer<readonly string[]>> => {
    const answer = await client.askPointers(reverseName(address))
    record.note(answer)
    if (answer.kind === 'failed') probe?.noteTrouble()
    return keepHostNames(answer)
  }
  options.metrics.watchCache('reverse_dns', question.size)
  /** The address to ask about; null when it is not asked. */
  const toAsked = (item: Item): AddressItem | null => {
    if (config.reverseDns === 'off' || probe?.verdict() === 'off' || item.kind === 'domain') {
      return null
    }
    return config.intelAccess === 'open' && isPrivateAddress(item) ? null : item
  }
  return {
    probe,
    answerNow(item) {
      // Not waited for: a silent resolver decides the probe only after the deadline of a look-up,
      // and each look-up of the first seconds would take that long.
      if (probe?.verdict() === 'undecided') return OFF
      const address = toAsked(item)
      if (address === null) return OFF
      return question.find(address.text) ?? null
    },
    async ask(item) {
      await probe?.decided
      const address = toAsked(item)
      return address === null ? OFF : await question.ask(address.text, () => askNames(address))
    },
    whenLate: () =>
      probe?.verdict() === 'undecided' ? OFF : { kind: 'failed', reason: 'timeout' },
    check: () => describeState(config.reverseDns, probe, record),
    async close() {
      await probe?.close()
    },
  }
}

function describeState(
  mode: Config['reverseDns'],
  probe: ResolverProbe | null,
  record: AnswerRecord,
): ReadinessFinding {
  if (mode === 'off') {
    return {
      state: 'off',
      detail: 'Reverse DNS is off by CASEWORK_REVERSE_DNS; look-ups leave reverseDns out.',
    }
  }
  if (probe !== null && probe.verdict() !== 'on') return { state: 'off', detail: probe.describe() }
  const trouble = record.trouble()
  if (trouble !== null) return { state: 'degraded', detail: explainTrouble(trouble) }
  return {
    state: 'ok',
    detail: probe?.describe() ?? 'Reverse DNS is asked for every look-up of an address.',
  }
}

function explainTrouble({ questions, sinceMs, reason }: Trouble): string {
  return `None of the last ${questions} questions for names of addresses was answered since ${new Date(sinceMs).toISOString()} (the last: ${reason}), so look-ups of addresses are partial; name a resolver that works in CASEWORK_DNS_SERVERS, or set CASEWORK_REVERSE_DNS=off.`
}

// The owner of an address can write any bytes into its PTR record, so only host names are shown. A
// record without a host name counts as absent. As a failure it would let the owner make every
// look-up of the address partial.
function keepHostNames(answer: Answer<readonly string[]>): Answer<readonly string[]> {
  if (answer.kind !== 'found') return answer
  const names = new Set<string>()
  for (const target of answer.value) {
    const name = target.toLowerCase().replace(/\.$/, '')
    if (name.length <= 253 && HOST_NAME_PATTERN.test(name)) names.add(name)
  }
  // Resolvers rotate the records, so the names are sorted.
  const shown = [...names].toSorted().slice(0, NAMES_MAX)
  return shown.length === 0 ? ABSENT : { kind: 'found', value: shown }
}

// Labels of letters, digits, hyphens and underscores, which are common in practice; a single label
// is possible.
const HOST_NAME_PATTERN = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/

// The resolver of a site knows the names of its internal hosts. Look-ups without a token must not
// show them.
const PRIVATE_RANGES: readonly Range[] = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
].map(requireRange)

// The first test is cheap and excludes nearly every address.
function isPrivateAddress(item: AddressItem): boolean {
  return isBogon(item) && PRIVATE_RANGES.some((range) => rangeHolds(range, item))
}
