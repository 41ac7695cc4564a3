// Finds the mail servers of a domain (RFC 5321 section 5.1): its mail exchanges, or the domain
// itself when it has none.

import type { AllowList } from '../../../kernel/outbound/allow-list.ts'
import { mayConnect } from '../../../kernel/outbound/check-url.ts'
import type { Answer } from '../../dns/dns-answer.ts'
import type { DnsClient, MailExchange } from '../../dns/dns-client.ts'

export type MailTargets =
  /** Addresses to try, in order. */
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  /** The domain accepts no mail: it says so, or none of its servers has a public address. */
  | { readonly kind: 'none' }
  /** DNS gave no answer. */
  | { readonly kind: 'undecided' }

export interface MailTargetRules {
  readonly dns: DnsClient
  readonly allow: AllowList
  readonly port: number
}

// Further servers only share the load; two addresses of each are enough to find a working one.
const HOSTS_MAX = 3
const ADDRESSES_PER_HOST = 2

export async function findMailTargets(
  domain: string,
  rules: MailTargetRules,
): Promise<MailTargets> {
  const exchanges = await rules.dns.askMailExchanges(domain)
  if (exchanges.kind === 'failed') return { kind: 'undecided' }
  const hosts = exchanges.kind === 'found' ? sortHosts(exchanges.value) : [domain]
  const answers = await Promise.all(
    hosts.slice(0, HOSTS_MAX).map((host) => findUsableAddresses(host, rules)),
  )
  const addresses = answers.flatMap((answer) => (answer.kind === 'found' ? answer.value : []))
  if (addresses.length > 0) return { kind: 'found', addresses }
  return { kind: answers.some((answer) => answer.kind === 'failed') ? 'undecided' : 'none' }
}

function sortHosts(exchanges: readonly MailExchange[]): string[] {
  // RFC 7505: one record with the empty name says that the domain takes no mail.
  return exchanges
    .filter(({ exchange }) => exchange !== '' && exchange !== '.')
    .toSorted((a, b) => a.priority - b.priority || (a.exchange < b.exchange ? -1 : 1))
    .map(({ exchange }) => exchange.toLowerCase())
}

// The owner of a contact's domain chooses the addresses of its servers, so addresses of our own
// network are refused.
async function findUsableAddresses(
  host: string,
  { dns, allow, port }: MailTargetRules,
): Promise<Answer<readonly string[]>> {
  const answer = await dns.askAddresses(host)
  if (answer.kind !== 'found') return answer
  const usable = answer.value.filter((address) => mayConnect({ host, port }, address, allow))
  return usable.length === 0
    ? { kind: 'absent' }
    : { kind: 'found', value: usable.slice(0, ADDRESSES_PER_HOST) }
}
