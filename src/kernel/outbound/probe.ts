// Asks whether a name has addresses, and whether a port takes connections, by the same rules of
// addresses as a request. Nothing is sent and nothing is read.

import { parseSocketAddress } from '../../values/address.ts'
import { startDeadline } from '../async/deadline.ts'
import { checkUrl, type FitUrl, mayConnect } from './check-url.ts'
import { classifyTrouble } from './classify-trouble.ts'
import { type Connect, connectToFirst } from './connect.ts'
import { type AddressRules, findAddresses } from './find-target-addresses.ts'
import { type OutboundFailure, type OutboundRefusal, refuse } from './outbound-outcome.ts'

export interface Probe {
  /** A name, or an address without brackets. */
  readonly host: string
  /** Any: nothing is sent that a service could take for a request. Null asks DNS only. */
  readonly port: number | null
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export type ProbeOutcome =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'open' }
  /** The machine answers that nothing listens; told of public addresses only. */
  | { readonly kind: 'closed' }
  /** The name has no address. */
  | { readonly kind: 'nameless' }
  | OutboundRefusal
  | OutboundFailure

// Of a name that only DNS is asked about.
const ANY_PORT = 443

type FitHost = Pick<FitUrl, 'kind' | 'target' | 'isAddress'>

/** Never rejects for anything that the target can do. */
export async function probeTarget(
  { host, port, timeoutMs, signal: outer }: Probe,
  rules: AddressRules,
  connect: Connect,
): Promise<ProbeOutcome> {
  const fit = readHost(host, port ?? ANY_PORT, rules)
  if (fit.kind === 'refused') return fit
  const deadline = startDeadline(timeoutMs, outer === undefined ? [] : [outer])
  let isOpened = false
  try {
    const found = await findAddresses(fit, rules, deadline.signal)
    if (found.kind !== 'found') return found
    isOpened = found.isOpened
    if (port === null) return { kind: 'addresses', addresses: found.addresses }
    const peers = found.addresses.map((address) => ({ address, port, secureHost: null }))
    const connection = await connectToFirst(connect, peers, timeoutMs, deadline.signal)
    connection.destroy()
    return { kind: 'open' }
  } catch (error) {
    if (!deadline.signal.aborted && !isOpened) {
      if (hasCode(error, ['ECONNREFUSED'])) return { kind: 'closed' }
      if (hasCode(error, ['ENOTFOUND', 'ENODATA'])) return { kind: 'nameless' }
    }
    return { kind: 'failed', reason: classifyTrouble(error, deadline.signal), isOpened }
  } finally {
    deadline.clear()
  }
}

/** A name is read as that of a URL; an address is open for its own port or not at all. */
function readHost(host: string, port: number, { allow }: AddressRules): FitHost | OutboundRefusal {
  if (parseSocketAddress(host) !== null) {
    const target = { host, port }
    if (mayConnect(target, host, allow)) return { kind: 'fit', target, isAddress: true }
    return refuse('address')
  }
  const fit = checkUrl(`https://${host}/`, { allowHttp: false, allow })
  if (fit.kind === 'refused') return fit
  return { kind: 'fit', target: { host: fit.target.host, port }, isAddress: fit.isAddress }
}

/** Of the error or one of its causes. */
function hasCode(error: unknown, codes: readonly string[]): boolean {
  let next = error
  while (next instanceof Error) {
    if ('code' in next && codes.includes(String(next.code))) return true
    next = next.cause
  }
  return false
}
