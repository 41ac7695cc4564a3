// The words of mitigations: what is done, to which target, what became of it, and when an adapter
// is asked again.

import { parseAddress } from '../../values/address.ts'
import { parseDomain } from '../../values/domain.ts'

export type MitigationKind =
  | 'suspend'
  | 'null_route'
  | 'dns_hold'
  | 'block_port'
  | 'takedown'
  | 'custom'

export type TargetType = 'ip' | 'domain' | 'url' | 'customer' | 'contract' | 'other'

/**
 * - `pending`: asked for, and not in force yet.
 * - `active`: in force.
 * - `failed`: refused, or all attempts failed. It may be in force when the adapter never answered.
 * - `removing`: to be undone; in force until then.
 * - `removed`: no longer in force.
 */
export type MitigationState = 'pending' | 'active' | 'failed' | 'removing' | 'removed'

export type RemovalCause = 'expired' | 'request' | 'playbook' | 'timeout'

/** A person does it, and confirms it by a request. */
export const MANUAL_ADAPTER = 'manual'

/** The types that a target may have, the usual one first. */
export const TARGETS_OF_KINDS: Readonly<Record<MitigationKind, readonly TargetType[]>> = {
  suspend: ['customer', 'contract', 'domain', 'ip'],
  null_route: ['ip'],
  dns_hold: ['domain'],
  block_port: ['ip'],
  takedown: ['url', 'domain'],
  custom: ['ip', 'domain', 'url', 'customer', 'contract', 'other'],
}

export interface MitigationTarget {
  readonly type: TargetType
  /** In canonical form: two spellings are one target. */
  readonly value: string
  /** 0 for every kind but `block_port`. */
  readonly port: number
}

export interface AskedTarget {
  readonly kind: MitigationKind
  readonly type: TargetType
  readonly value: string
  readonly port: number | null
}

export type TargetReading =
  | { readonly kind: 'target'; readonly target: MitigationTarget }
  | {
      readonly kind: 'problem'
      readonly field: 'target' | 'target_type' | 'port'
      readonly reason: string
    }

const PORT_MAX = 65_535
const TARGET_LENGTH_MAX = 2_000

export function readTarget({ kind, type, value, port }: AskedTarget): TargetReading {
  const types = TARGETS_OF_KINDS[kind]
  if (!types.includes(type)) {
    return problem('target_type', `must be ${types.join(', ')} for ${kind}`)
  }
  if ((kind === 'block_port') !== (port !== null)) {
    return problem('port', port === null ? 'is missing; block_port needs it' : 'is for block_port')
  }
  if (port !== null && !(Number.isInteger(port) && port >= 1 && port <= PORT_MAX)) {
    return problem('port', `must be a number from 1 to ${PORT_MAX}`)
  }
  const canonical = readValue(type, value)
  if (canonical === null) return problem('target', `must be ${RULES[type]}`)
  return { kind: 'target', target: { type, value: canonical, port: port ?? 0 } }
}

const RULES: Readonly<Record<TargetType, string>> = {
  ip: 'one IP address',
  domain: 'a domain',
  url: 'an absolute http or https URL',
  customer: 'the id of a customer',
  contract: 'the id of a contract',
  other: 'a text without control characters',
}

function readValue(type: TargetType, value: string): string | null {
  switch (type) {
    case 'ip':
      return parseAddress(value)?.text ?? null
    case 'domain':
      return parseDomain(value)
    case 'url': {
      const url = URL.parse(value)
      const isWeb = url !== null && ['https:', 'http:'].includes(url.protocol)
      return isWeb && isPlain(value) ? value : null
    }
    case 'customer':
    case 'contract':
    case 'other':
      return value !== '' && isPlain(value) ? value : null
  }
}

function isPlain(text: string): boolean {
  return text.length <= TARGET_LENGTH_MAX && text.isWellFormed() && !/\p{Cc}/u.test(text)
}

function problem(field: 'target' | 'target_type' | 'port', reason: string): TargetReading {
  return { kind: 'problem', field, reason }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FIRST_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS] as const
// Some 11 hours: a block that comes later meets another case.
const EXECUTE_PAUSES_MS = [...FIRST_MS, 2 * HOUR_MS, 3 * HOUR_MS, 4 * HOUR_MS] as const
// Some ten days: a block that stays hurts its customer.
const UNDO_PAUSES_MS = [...EXECUTE_PAUSES_MS, ...Array<number>(10).fill(24 * HOUR_MS)]
const ASKED_MAX_MS = 24 * HOUR_MS

export type MitigationAction = 'execute' | 'undo'

/**
 * How long to wait after so many failed attempts; null when it was the last. The adapter may ask
 * for longer, up to a day. `jitter` from 0 to 1 spreads requests that failed together.
 */
export function choosePauseMs(
  action: MitigationAction,
  attempts: number,
  askedMs: number,
  jitter: number,
): number | null {
  const pauses = action === 'execute' ? EXECUTE_PAUSES_MS : UNDO_PAUSES_MS
  const pauseMs = pauses[attempts - 1]
  if (pauseMs === undefined) return null
  return Math.max(Math.min(askedMs, ASKED_MAX_MS), pauseMs * (1 + jitter / 5))
}

const RESULT_DAYS = 7
// 10 s, doubled up to an hour: at most 180 times a week.
const POLL_FIRST_MS = 10_000

/**
 * How long to wait for the result of a request that was accepted; null after a week. The adapter
 * may ask for longer, up to a day.
 */
export function choosePollMs(waitedMs: number, attempts: number, askedMs: number): number | null {
  if (waitedMs >= RESULT_DAYS * 24 * HOUR_MS) return null
  const pauseMs = Math.min(HOUR_MS, POLL_FIRST_MS * 2 ** Math.min(attempts - 1, 10))
  return Math.max(Math.min(askedMs, ASKED_MAX_MS), pauseMs)
}
