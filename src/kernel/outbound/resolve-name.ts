// Resolves a name to all of its addresses in one lookup. The caller checks every address before it
// connects to one.

import { promises as dns } from 'node:dns'
import { settingsNotUsable } from '../errors.ts'

/**
 * All addresses of a name, IPv4 first. Rejects when there is none, when the lookup fails, or when
 * `signal` aborts.
 */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

// Two tries within about 4 s leave something of the usual 10 s of a request for the rest.
const TRY_TIMEOUT_MS = 1_500
const TRIES = 2

/**
 * Asks DNS over the network. Not through getaddrinfo: a slow name server would occupy one of the
 * four threads that also read files, and tenants choose the names. `servers` are address or
 * address:port; empty means the resolvers of the system. Throws the operating error of an unusable
 * setting when a server is no address.
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
    // A resolver for each lookup, so that an abort ends this lookup only, and the current settings
    // of the system are used.
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
 * Resolves by getaddrinfo, hosts file included, for the few names that the operator opened. It
 * cannot be aborted.
 */
export const resolveBySystem: ResolveName = async (name) => {
  const answers = await dns.lookup(name, { all: true, order: 'ipv4first' })
  return answers.map((answer) => answer.address)
}
