// A source of intel (an addition to the threat-intelligence group): its name, terms of use and
// fetch settings, and whether it was heard of lately.

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { FetchOutcome } from './fetch/refresh-source.ts'
import type { KnownSource } from './source-store.ts'

const Timestamp = Type.String({ format: 'date-time' })
const Seconds = Type.Integer({ minimum: 60, maximum: 31_536_000 })

const DESCRIPTION = {
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
  origin: Type.Optional(
    Type.String({ maxLength: 500, description: 'Publisher, and where the list can be read.' }),
  ),
  licence: Type.Optional(Type.String({ maxLength: 2_000, description: 'Its terms of use.' })),
  ttlSeconds: Type.Optional(
    Type.Integer({
      ...Seconds,
      description:
        'The source becomes stale when it was not heard of for this long. Left out: it never becomes stale.',
    }),
  ),
}

const FETCH = {
  url: Type.String({ maxLength: 2_000 }),
  format: Type.Union([Type.Literal('plain'), Type.Literal('rbldnsd'), Type.Literal('ndjson')], {
    description:
      'plain: an address, range or domain a line; rbldnsd: data files of that DNS server; ndjson: a JSON object a line with cidr, ip, address or domain.',
  }),
  name: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The list that its entries are on; for a tag-list, their tag. The name of the source when left out.',
    }),
  ),
  intervalSeconds: Type.Integer({ ...Seconds, minimum: 300 }),
  enabled: Type.Boolean({ description: 'False: fetched on request only.' }),
}

export type FetchFormat = Static<typeof FETCH.format>

/** False for a format that only a newer node knows. */
export function isFetchFormat(text: string): text is FetchFormat {
  return text === 'plain' || text === 'rbldnsd' || text === 'ndjson'
}

export const NewSource = named(
  'NewSource',
  Type.Object(
    {
      ...DESCRIPTION,
      fetch: Type.Optional(
        Type.Object(FETCH, {
          additionalProperties: false,
          description:
            'For a mail-blocklist, tag-list, allow-list or network that is published under a URL.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)
export type NewSource = Static<typeof NewSource>

const SourceState = named(
  'SourceState',
  Type.Union(
    [Type.Literal('fresh'), Type.Literal('stale'), Type.Literal('failed'), Type.Literal('never')],
    {
      description:
        'never: nothing was ever received; failed: the last fetch failed; stale: not heard of within its time to live; else fresh. The state never changes a verdict: entries count until they expire or are withdrawn.',
    },
  ),
)

export const Source = named(
  'Source',
  Type.Object({
    kind: Type.String({ description: 'Such as mail-blocklist, tag-list, allow-list, honeypot.' }),
    name: Type.String(),
    state: SourceState,
    entries: Type.Integer({
      description: 'Number of addresses, ranges and domains with a live entry of the source.',
    }),
    heardAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time of its last accepted data, to ten seconds.',
      }),
    ),
    serial: Type.Optional(
      Type.Integer({
        description: 'A serial of the change log that includes everything received until heardAt.',
      }),
    ),
    createdAt: Timestamp,
    ...DESCRIPTION,
    fetch: Type.Optional(
      Type.Object({
        ...FETCH,
        url: Type.String({
          maxLength: 2_000,
          description: 'Its server alone for a caller without sources:manage.',
        }),
        name: Type.String(),
        triedAt: Type.Optional(Timestamp),
        nextAt: Type.Optional(Timestamp),
        trouble: Type.Optional(Type.String({ description: 'Why the last fetch failed.' })),
        running: Type.Optional(
          Type.Literal(true, { description: 'The list is being fetched at present.' }),
        ),
      }),
    ),
  }),
)
export type Source = Static<typeof Source>

/** `entries` is the number of subjects with a live entry of the source. */
export function presentSource(source: KnownSource, entries: number, nowMs: number): Source {
  const { kind, name, heardAtMs, heardSerial } = source
  return {
    kind,
    name,
    state: sourceState(source, nowMs),
    entries,
    ...(heardAtMs === null ? {} : { heardAt: presentMs(heardAtMs) }),
    ...(heardSerial === null ? {} : { serial: heardSerial }),
    createdAt: presentMs(source.createdAtMs),
    ...presentDescription(source),
    ...presentFetch(source),
  }
}

export function sourceState(source: KnownSource, nowMs: number): Source['state'] {
  const { heardAtMs, ttlSeconds, trouble } = source
  if (trouble !== null) return 'failed'
  if (heardAtMs === null) return 'never'
  if (ttlSeconds !== null && heardAtMs + ttlSeconds * 1_000 < nowMs) return 'stale'
  return 'fresh'
}

function presentDescription({
  description,
  origin,
  licence,
  ttlSeconds,
}: KnownSource): Pick<Source, 'description' | 'origin' | 'licence' | 'ttlSeconds'> {
  return {
    ...(description === null ? {} : { description }),
    ...(origin === null ? {} : { origin }),
    ...(licence === null ? {} : { licence }),
    ...(ttlSeconds === null ? {} : { ttlSeconds }),
  }
}

function presentFetch(source: KnownSource): Pick<Source, 'fetch'> {
  const { fetch, triedAtMs, nextAtMs, trouble, isLeased } = source
  if (fetch === null) return {}
  return {
    fetch: {
      url: fetch.url,
      // A format that only a newer node knows is shown as the plainest one.
      format: isFetchFormat(fetch.format) ? fetch.format : 'plain',
      name: fetch.entryName,
      intervalSeconds: fetch.intervalSeconds,
      enabled: fetch.isEnabled,
      ...(triedAtMs === null ? {} : { triedAt: presentMs(triedAtMs) }),
      ...(nextAtMs === null || !fetch.isEnabled ? {} : { nextAt: presentMs(nextAtMs) }),
      ...(trouble === null ? {} : { trouble }),
      ...(isLeased ? { running: true } : {}),
    },
  }
}

/**
 * The source for a reader who does not manage sources: the path and query of the fetched URL may
 * hold a key, so its server alone is shown.
 */
export function hideFetchPath(source: Source): Source {
  if (source.fetch === undefined) return source
  return { ...source, fetch: { ...source.fetch, url: new URL(source.fetch.url).origin } }
}

function presentMs(ms: number): string {
  return new Date(ms).toISOString()
}

export const FetchResult = named(
  'SourceFetch',
  Type.Object({
    outcome: Type.Union([
      Type.Literal('replaced'),
      Type.Literal('unchanged'),
      Type.Literal('failed'),
      Type.Literal('running'),
    ]),
    accepted: Type.Optional(Type.Integer({ description: 'Number of entries of the list.' })),
    removed: Type.Optional(
      Type.Integer({ description: 'Number of former entries that the new list lacks.' }),
    ),
    refused: Type.Optional(Type.Integer({ description: 'Number of lines that cannot be read.' })),
    firstRefusal: Type.Optional(
      Type.String({ description: 'The first line that cannot be read, and why.' }),
    ),
    trouble: Type.Optional(Type.String({ description: 'Why the fetch failed.' })),
  }),
)
export type FetchResult = Static<typeof FetchResult>

export function presentFetchResult(done: FetchOutcome): FetchResult {
  if (done.outcome !== 'replaced') return done
  const { firstRefusal, ...counts } = done
  return firstRefusal === null ? counts : { ...counts, firstRefusal }
}
