// The addresses that a checked URL may be connected to: its own, or those of its name, each of them
// checked.

import { parseSocketAddress } from '../../values/address.ts'
import { untilAborted } from '../async/deadline.ts'
import type { AllowList, Target } from './allow-list.ts'
import { classifyAddress, normalizeAddress } from './check-address.ts'
import { type FitUrl, mayConnect } from './check-url.ts'
import { type OutboundRefusal, refuse } from './outbound-outcome.ts'
import type { ResolveName } from './resolve-name.ts'

export interface FoundAddresses {
  readonly kind: 'found'
  /** One or two, in the order to try them: the first address of each IP version. */
  readonly addresses: readonly string[]
  /** True when one of them is not public, so that only the allow-list opens it. */
  readonly isOpened: boolean
}

export interface AddressRules {
  readonly allow: AllowList
  /** For names on the public Internet. */
  readonly resolve: ResolveName
  /** For names on the allow-list. */
  readonly resolveOpened: ResolveName
  /** The addresses of this machine's network interfaces. */
  readonly listOwnAddresses: () => readonly string[]
}

// The largest honest answers are a few dozen. Cutting a larger one would leave addresses unchecked,
// so it counts as no answer.
const ANSWERS_MAX = 64

/** The name has no address, or the DNS lookup failed. */
export class DnsTrouble extends Error {
  constructor(name: string, cause?: unknown) {
    super(`No usable answer for the name ${name}`, { cause })
    this.name = 'DnsTrouble'
  }
}

/** Refuses with `address` or `own_address`; rejects with `DnsTrouble` or the reason of `signal`. */
export async function findAddresses(
  fit: Pick<FitUrl, 'target' | 'isAddress'>,
  rules: AddressRules,
  signal: AbortSignal,
): Promise<FoundAddresses | OutboundRefusal> {
  const answers = fit.isAddress
    ? [fit.target.host]
    : await resolveTarget(fit.target.host, rules, signal)
  // One refused address refuses the name: its owner decides which address comes first next time.
  if (!answers.every((address) => mayConnect(fit.target, address, rules.allow))) {
    return refuse('address')
  }
  if (pointsToOwnAddress(fit.target, answers, rules)) return refuse('own_address')
  return {
    kind: 'found',
    addresses: pickAddresses(answers),
    isOpened: answers.some((address) => classifyAddress(address).kind === 'special'),
  }
}

async function resolveTarget(
  name: string,
  rules: AddressRules,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const resolve = rules.allow.namesHost(name) ? rules.resolveOpened : rules.resolve
  let answers: readonly string[]
  try {
    answers = await untilAborted(resolve(name, signal), signal)
  } catch (error) {
    throw new DnsTrouble(name, error)
  }
  if (answers.length === 0 || answers.length > ANSWERS_MAX) {
    throw new DnsTrouble(name, `${answers.length} answers`)
  }
  return answers
}

// A playbook that calls this service, which then runs the playbook, would be an endless loop, even
// over a public address.
function pointsToOwnAddress(
  target: Target,
  answers: readonly string[],
  rules: AddressRules,
): boolean {
  const own = new Set(rules.listOwnAddresses().map(normalizeAddress))
  return answers.some(
    (address) =>
      own.has(normalizeAddress(address)) &&
      !rules.allow.opensPort(target) &&
      !rules.allow.opensAddress(target, address),
  )
}

function pickAddresses(answers: readonly string[]): readonly string[] {
  const firsts = (['ipv4', 'ipv6'] as const).map((family) =>
    answers.find((address) => parseSocketAddress(address)?.kind === family),
  )
  return firsts.filter((address) => address !== undefined)
}
