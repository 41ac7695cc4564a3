// A source as its JSON: the one place where its members get their wire names.

import { type FetchFormat, isFetchFormat } from './fetch/fetch-format.ts'
import type { KnownSource } from './source-description-store.ts'
import { sourceState } from './source-state.ts'
import type { Source } from './source-wire.ts'

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
  const { fetch, triedAtMs, nextAtMs, trouble } = source
  if (fetch === null) return {}
  return {
    fetch: {
      url: fetch.url,
      format: toFormat(fetch.format),
      name: fetch.entryName,
      intervalSeconds: fetch.intervalSeconds,
      enabled: fetch.isEnabled,
      ...(triedAtMs === null ? {} : { triedAt: presentMs(triedAtMs) }),
      ...(nextAtMs === null || !fetch.isEnabled ? {} : { nextAt: presentMs(nextAtMs) }),
      ...(trouble === null ? {} : { trouble }),
    },
  }
}

// One that a newer node wrote is told as the plainest.
function toFormat(format: string): FetchFormat {
  return isFetchFormat(format) ? format : 'plain'
}

function presentMs(ms: number): string {
  return new Date(ms).toISOString()
}
