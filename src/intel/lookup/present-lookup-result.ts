// Writes the whole answer of a look-up as JSON text (interface 2.3 and section 7; its schema is in
// lookup-result-wire.ts). Built by hand, since building objects for JSON.stringify would take a
// third of the time of a look-up.

import { formatSeconds } from '../../values/timestamp.ts'
import type { EnrichmentAnswer } from '../enrichment/enrich.ts'
import type { Classification, Interactions } from '../facts/classify-item.ts'

export interface LookedUp {
  /** The text as it was sent. */
  readonly text: string
  readonly isDomain: boolean
  readonly bogon: boolean
  readonly classification: Classification
  readonly enrichment: EnrichmentAnswer
}

const COMPLETE = '{"status":"success","statusCode":200,"result":{"item":'
const PARTIAL = '{"status":"partial_success","statusCode":503,"result":{"item":'

/** The envelope with its members in the order of the interface; unknown members are left out. */
export function presentLookup(looked: LookedUp): string {
  const { classification, enrichment } = looked
  const { firstSeenSeconds, lastSeenSeconds } = classification
  let text = enrichment.isPartial ? PARTIAL : COMPLETE
  text += `${quoteText(looked.text)},"serviceMailBlocklist":"${classification.serviceMailBlocklist}"`
  text += looked.isDomain ? ',"type":"DOMAIN","bogon":' : ',"type":"IP","bogon":'
  text += looked.bogon ? 'true,"tags":' : 'false,"tags":'
  text += presentTexts(classification.tags)
  if (firstSeenSeconds !== undefined) {
    text += `,"firstSeen":"${formatSeconds(firstSeenSeconds)}"`
  }
  if (lastSeenSeconds !== undefined) text += `,"lastSeen":"${formatSeconds(lastSeenSeconds)}"`
  text += `,"intent":"${classification.intent}"`
  text += presentReverseDns(enrichment.reverseDns)
  text += presentContact(enrichment.abuseContact)
  text += presentNetwork(enrichment.asn)
  text += presentActivity(classification.observedActivity)
  return enrichment.isPartial ? `${text}},"errors":{}}` : `${text}}}`
}

function presentTexts(values: readonly string[]): string {
  if (values.length === 0) return '[]'
  let text = ''
  for (const value of values) text += text === '' ? quoteText(value) : `,${quoteText(value)}`
  return `[${text}]`
}

// Only reverse DNS shows "there is none" as an answer: the resolver said so (design 4.2).
function presentReverseDns(outcome: EnrichmentAnswer['reverseDns']): string {
  switch (outcome.kind) {
    case 'found': {
      const names = outcome.value.map((entry) => `{"entry":${quoteText(entry)}}`)
      return `,"reverseDns":{"current":[${names.join(',')}]}`
    }
    case 'absent':
      return ',"reverseDns":{"current":[]}'
    case 'off':
    case 'failed':
      return ''
  }
}

function presentContact(outcome: EnrichmentAnswer['abuseContact']): string {
  if (outcome.kind !== 'found') return ''
  const { email, status, lastVerification } = outcome.value
  const verified =
    lastVerification === null ? '' : `,"lastVerification":"${lastVerification.toISOString()}"`
  return `,"abuseContact":{"email":${quoteText(email)},"status":"${status}"${verified}}`
}

function presentNetwork(outcome: EnrichmentAnswer['asn']): string {
  if (outcome.kind !== 'found') return ''
  const known = networkTexts.get(outcome.value)
  if (known !== undefined) return known
  const { countryCode, asn, name } = outcome.value
  const country = countryCode === undefined ? '' : `"countryCode":"${countryCode}",`
  const named = name === undefined ? '' : `,"name":${quoteText(name)}`
  const text = `,"asn":{${country}"asn":"${asn}"${named}}`
  networkTexts.set(outcome.value, text)
  return text
}

// The table of networks gives the same object for a network it has cached.
const networkTexts = new WeakMap<object, string>()

function presentActivity(activity: Classification['observedActivity']): string {
  const { honeypotInteractions: honeypot, spamtrapInteractions: spamtrap } = activity
  if (honeypot === undefined && spamtrap === undefined) return ',"observedActivity":{}'
  let text = ''
  if (honeypot !== undefined) text += `"honeypotInteractions":${presentInteractions(honeypot)}`
  if (spamtrap !== undefined) {
    text += `${text === '' ? '' : ','}"spamtrapInteractions":${presentInteractions(spamtrap)}`
  }
  return `,"observedActivity":{${text}}`
}

function presentInteractions(interactions: Interactions): string {
  let observations = ''
  for (const { firstSeenSeconds, lastSeenSeconds, service, type } of interactions.observations) {
    const times = `"firstSeen":"${formatSeconds(firstSeenSeconds)}","lastSeen":"${formatSeconds(lastSeenSeconds)}"`
    const named = service === undefined ? '' : `,"service":${quoteText(service)}`
    observations += `${observations === '' ? '' : ','}{${times}${named},"type":${quoteText(type)}}`
  }
  const first = formatSeconds(interactions.firstSeenSeconds)
  const last = formatSeconds(interactions.lastSeenSeconds)
  return `{"firstSeen":"${first}","lastSeen":"${last}","observations":[${observations}]}`
}

// Codes of ASCII. Printable characters are 32 to 126.
const QUOTE = 34
const BACKSLASH = 92

/** Parses to the same text as JSON.stringify would give, in a fifth of the time for a short one. */
export function quoteText(text: string): string {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 32 || code > 126 || code === QUOTE || code === BACKSLASH) return escapeText(text)
  }
  return `"${text}"`
}

function escapeText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
