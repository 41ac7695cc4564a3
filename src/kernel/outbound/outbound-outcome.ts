// The outcomes of an outbound request: answered, refused by the guard, or failed; and the sentences
// about the last two.

/** The other side answered; any status, 4xx and 5xx included. */
export interface OutboundAnswer {
  readonly kind: 'answer'
  readonly status: number
  /**
   * Names in lower case; values of repeated headers joined by ", ". `set-cookie` is left out,
   * because cookies are not kept.
   */
  readonly headers: ReadonlyMap<string, string>
  /** Unpacked (gzip, deflate, br) and at most `maxBytes` long. */
  readonly body: Buffer
  /** The address that answered, after redirects, without fragment. */
  readonly url: string
}

/** Nothing was sent by the refused hop; an earlier hop of a redirect may have been sent. */
export interface OutboundRefusal {
  readonly kind: 'refused'
  readonly reason: RefusalReason
}

export type RefusalReason =
  /** Not readable as an absolute URL, too long, or with control characters. */
  | 'url'
  /** Neither https nor, where the request allows it, http. */
  | 'scheme'
  /** A user name or password in the URL. */
  | 'userinfo'
  /** Neither one of the common ports nor opened by the operator. */
  | 'port'
  /**
   * An address that is not global unicast and not opened by the operator; one among several is
   * enough.
   */
  | 'address'
  /** An address of this machine. */
  | 'own_address'
  /** From https to http, in a circle, or further than the request allows. */
  | 'redirect'
  | 'method'
  /**
   * A header that this client sets itself, one given twice, or one with characters that headers
   * cannot have.
   */
  | 'header'
  /** The body is larger than the limit. */
  | 'body'
  /** It is a request of a tenant of the demo. */
  | 'demo'

export interface OutboundFailure {
  readonly kind: 'failed'
  readonly reason: FailureReason
  /** True when the target is no public address but one that the operator opened. */
  readonly isOpened: boolean
}

export type FailureReason =
  /** One of the deadlines passed. */
  | 'timeout'
  /** No connection, or it closed before an answer began. */
  | 'unreachable'
  /** The connection ended in the middle of the body. */
  | 'broken_off'
  /** The name has no address, or the DNS lookup failed. */
  | 'dns'
  /** No encrypted connection: protocol or certificate. */
  | 'tls'
  /** The answer is larger than `maxBytes`, packed or unpacked, or its headers are too large. */
  | 'too_large'
  /** The answer is not HTTP, or not in the encoding that it names. */
  | 'malformed'
  /** This client has too many open requests. */
  | 'busy'
  /** Ended by the caller or by `close`. */
  | 'cancelled'

export type OutboundOutcome = OutboundAnswer | OutboundRefusal | OutboundFailure

const NOT_REACHED = 'The target could not be reached.'

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  url: 'The URL cannot be read; give an absolute one such as https://api.example/path.',
  scheme: 'The URL must start with https://.',
  userinfo:
    'The URL must not contain a user name or password; send them in a header over https instead.',
  port: 'The port of the URL is not one that requests may go to.',
  address: NOT_REACHED,
  own_address: NOT_REACHED,
  redirect: 'The target redirects too often, in a circle, or from https to http.',
  method: 'The method must be GET, HEAD, POST, PUT, PATCH or DELETE.',
  header: 'A header has a name or value that cannot be sent.',
  body: 'The body is too large to be sent.',
  demo: 'This tenant is a demo: nothing of it leaves this machine.',
}

/** Every reason of a refusal. */
export const REFUSAL_REASONS: readonly string[] = Object.keys(REFUSALS)

const FAILURES: Readonly<Record<FailureReason, string>> = {
  timeout: NOT_REACHED,
  unreachable: NOT_REACHED,
  broken_off: NOT_REACHED,
  dns: NOT_REACHED,
  tls: 'No secure connection to the target could be made; check its certificate.',
  too_large: 'The answer of the target is larger than allowed.',
  malformed: 'The answer of the target could not be read.',
  busy: 'Too many requests are under way; try again shortly.',
  cancelled: 'The request was ended before it was answered.',
}

// These reveal that a service listens, so an opened target gets the common sentence instead.
const TELLING: ReadonlySet<FailureReason> = new Set(['tls', 'malformed'])

/**
 * One sentence for the tenant who asked. An internal name, an internal address, a closed port, a
 * silent one and a service that speaks another protocol all give the same sentence, so that this
 * service cannot be used to map a network.
 */
export function explainToTenant(outcome: OutboundRefusal | OutboundFailure): string {
  if (outcome.kind === 'refused') return REFUSALS[outcome.reason]
  if (outcome.isOpened && TELLING.has(outcome.reason)) return NOT_REACHED
  return FAILURES[outcome.reason]
}

const OPENS = 'if it is meant, CASEWORK_OUTBOUND_ALLOW opens it.'
const OPERATOR_SENTENCES: ReadonlyMap<RefusalReason | FailureReason, string> = new Map([
  ['port', `The port of the URL is not one that requests may go to; ${OPENS}`],
  ['address', `The URL leads to an address that is not public; ${OPENS}`],
  ['own_address', `The URL leads to this machine itself; ${OPENS}`],
  ['timeout', 'The server did not answer, or not to the end, in time.'],
  ['unreachable', 'No connection to the server could be made, or it closed it without an answer.'],
  ['broken_off', 'The connection broke off before the answer was complete.'],
  ['dns', 'The name of the server has no address, or its DNS lookup failed.'],
])

/** One sentence for the operator, who runs the network and may see more than a tenant. */
export function explainToOperator(outcome: OutboundRefusal | OutboundFailure): string {
  const sentence = OPERATOR_SENTENCES.get(outcome.reason)
  if (sentence !== undefined) return sentence
  return outcome.kind === 'refused' ? REFUSALS[outcome.reason] : FAILURES[outcome.reason]
}

export function refuse(reason: RefusalReason): OutboundRefusal {
  return { kind: 'refused', reason }
}
