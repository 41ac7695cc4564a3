// From a name to its addresses, all of them, asked once. The caller judges every answer before it
// connects to one.

import { promises as dns } from 'node:dns'
import { settingsNotUsable } from '../errors.ts'

/**
 * All addresses of a name, IPv4 first. Rejects when there are none or nobody says; ends early when
 * `signal` aborts.
 */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

// Two tries within about 4 s leave something of the usual 10 s of a request for the rest.
const TRY_TIMEOUT_MS = 1_500
const TRIES = 2

/**
 * Asks DNS over the network. Not through the system's own look-up: that holds one of the four
 * threads which also read files for as long as a slow name server likes, and names are chosen by
 * tenants. `servers` as address or address:port; empty means those of the system. Throws the
 * operating error of an unusable setting when a server is no address.
 */
export function createDnsResolver(servers: readonly string[]): ResolveName {
  const open = (): dns.Resolver => {
    const resolver = new dns.Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES })
    if (servers.length > 0) resolver.setServers([...servers])
    return resolver
  }
  try {
    open()
  } catch (error) {
    throw settingsNotUsable([
      `CASEWORK_DNS_SERVERS must list addresses such as 192.0.2.53 or [2001:db8::53]:5353, not ${servers.join(',')} (${String(error)})`,
    ])
  }
  return async (name, signal) => {
    // One for each question, so that an abort ends this question only, and the system's settings
    // are those of now.
    const resolver = open()
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const addresses = answers.flatMap((answer) =>
        answer.status === 'fulfilled' ? answer.value : [],
      )
      if (addresses.length > 0) return addresses
      throw new Error(`No address for ${name}`, { cause: readReason(answers[0]) })
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

function readReason(answer: PromiseSettledResult<unknown>): unknown {
  return answer.status === 'rejected' ? answer.reason : 'an empty answer'
}

/**
 * As the system resolves it, hosts file included: for the few names that the operator opened. It
 * cannot be ended early.
 */
export const resolveBySystem: ResolveName = async (name) => {
  const answers = await dns.lookup(name, { all: true, order: 'ipv4first' })
  return answers.map((answer) => answer.address)
}
