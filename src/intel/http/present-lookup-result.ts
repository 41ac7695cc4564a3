// From what is known about an item to the `result` of a look-up (interface 2.3): the one place where members get their wire names.

import type { LookupResult } from '../../contract/lookup-result.ts'
import type { EnrichmentAnswer } from '../enrichment/enrich.ts'
import type { Classification, Interactions } from '../model/classify.ts'
import { presentInstant } from './present-instant.ts'

export interface LookedUp {
  /** The text as it was sent. */
  readonly text: string
  readonly isDomain: boolean
  readonly bogon: boolean
  readonly classification: Classification
  readonly enrichment: EnrichmentAnswer
}

/**
 * Optional members may also be there as undefined: JSON.stringify leaves them out all the same, and an object of one shape is built in
 * half the time of one that is spread together (measured: 2 µs of a look-up).
 */
type Sendable<Shape> = Shape extends readonly (infer Element)[]
  ? readonly Sendable<Element>[]
  : Shape extends object
    ? {
        readonly [Name in keyof Shape]: object extends Pick<Shape, Name>
          ? Sendable<Shape[Name]> | undefined
          : Sendable<Shape[Name]>
      }
    : Shape

export type SendableLookupResult = Sendable<LookupResult>

/** Members in the order of the interface; what is not known is left out. */
export function presentLookupResult(looked: LookedUp): SendableLookupResult {
  const { classification, enrichment } = looked
  const { honeypotInteractions, spamtrapInteractions } = classification.observedActivity
  return {
    item: looked.text,
    serviceMailBlocklist: classification.serviceMailBlocklist,
    type: looked.isDomain ? 'DOMAIN' : 'IP',
    bogon: looked.bogon,
    tags: classification.tags,
    firstSeen: presentOptional(classification.firstSeenSeconds, presentInstant),
    lastSeen: presentOptional(classification.lastSeenSeconds, presentInstant),
    intent: classification.intent,
    reverseDns: presentReverseDns(enrichment.reverseDns),
    abuseContact: presentContact(enrichment.abuseContact),
    asn: presentAsn(enrichment.asn),
    observedActivity: {
      honeypotInteractions: presentOptional(honeypotInteractions, presentInteractions),
      spamtrapInteractions: presentOptional(spamtrapInteractions, presentInteractions),
    },
  }
}

function presentOptional<Value, Wire>(
  value: Value | undefined,
  present: (value: Value) => Wire,
): Wire | undefined {
  return value === undefined ? undefined : present(value)
}

// Only here "there is none" is an answer of its own: the resolver said so (design 4.2).
function presentReverseDns(
  outcome: EnrichmentAnswer['reverseDns'],
): SendableLookupResult['reverseDns'] {
  switch (outcome.kind) {
    case 'found':
      return { current: outcome.value.map((entry) => ({ entry })) }
    case 'absent':
      return { current: [] }
    case 'off':
    case 'failed':
      return undefined
  }
}

function presentContact(
  outcome: EnrichmentAnswer['abuseContact'],
): SendableLookupResult['abuseContact'] {
  if (outcome.kind !== 'found') return undefined
  const { email, status, lastVerification } = outcome.value
  return { email, status, lastVerification: lastVerification?.toISOString() }
}

function presentAsn(outcome: EnrichmentAnswer['asn']): SendableLookupResult['asn'] {
  if (outcome.kind !== 'found') return undefined
  const { countryCode, asn, name } = outcome.value
  return { countryCode, asn, name }
}

type SendableInteractions = Sendable<
  NonNullable<LookupResult['observedActivity']['honeypotInteractions']>
>

function presentInteractions(interactions: Interactions): SendableInteractions {
  return {
    firstSeen: presentInstant(interactions.firstSeenSeconds),
    lastSeen: presentInstant(interactions.lastSeenSeconds),
    observations: interactions.observations.map((observation) => ({
      firstSeen: presentInstant(observation.firstSeenSeconds),
      lastSeen: presentInstant(observation.lastSeenSeconds),
      service: observation.service,
      type: observation.type,
    })),
  }
}
