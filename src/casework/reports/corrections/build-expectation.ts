// What a report reports after its corrections, as a regression case expects it. Pure.

import type { CaseExpectation } from '../../../reader/reading.ts'
import { parseUrlHost } from '../../../vocabulary/target.ts'
import type { EventRecordRow } from '../../events/event-list-store.ts'
import type { StoredCorrection } from './correction-store.ts'

export function buildExpectation(
  events: readonly EventRecordRow[],
  corrections: readonly StoredCorrection[],
): CaseExpectation {
  const urls = events.flatMap(({ details }) => listUrls(details))
  const ofUrls = new Set(urls.map((url) => parseUrlHost(url).domain))
  const domains = events.flatMap(({ domain }) => domain ?? [])
  const ips = events.flatMap(({ ip }) => ip ?? [])
  const [first] = events
  return {
    ips: unique(ips),
    urls: unique(urls),
    domains: unique(domains.filter((domain) => !ofUrls.has(domain))),
    types: unique(events.map(({ event_type: type }) => type)),
    reporter: first?.sender_email ?? null,
    recipient: first?.recipient_email ?? null,
    bystanders: listBlamed(corrections).filter(
      (item) => !ips.includes(item) && !domains.includes(item),
    ),
  }
}

/** Addresses and domains that events had before they were corrected. */
function listBlamed(corrections: readonly StoredCorrection[]): readonly string[] {
  const before = corrections.flatMap(({ changes }) =>
    changes.flatMap((change) => change.before ?? []),
  )
  return unique(before.flatMap(({ ip, domain }) => [ip ?? [], domain ?? []].flat()))
}

function listUrls(details: EventRecordRow['details']): readonly string[] {
  const { url, urls } = details ?? {}
  const all: readonly unknown[] = [url, ...(Array.isArray(urls) ? urls : [])]
  return all.filter((one) => typeof one === 'string')
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}
