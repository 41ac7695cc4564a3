// Finds the autonomous system and country of an address in a local table (design 4.4: sends no
// question). A process of its own builds the table at the first start and after an update of the
// data packages or of the MMDB files of the operator; until then the member is left out.

import path from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { ReadinessFinding } from '../../kernel/readiness.ts'
import type { Item } from '../../values/item.ts'
import { ABSENT } from '../dns/dns-answer.ts'
import { type Enricher, OFF, type Outcome } from './enrichment-outcome.ts'
import { followNetworks, keepNetworks, type NetworkSource } from './network-source.ts'
import { lookupNetwork, type NetworkRecord } from './network-table.ts'
import {
  findNetworkPackageDirs,
  type NetworkMmdbFiles,
  type NetworkPackageDirs,
  NO_MMDB_FILES,
} from './network-table-build.ts'

export interface AsnOptions {
  readonly dataDir: string
  readonly log: Log
  /** A port of the first thread of this process, which reads and builds the table. */
  readonly feed?: MessagePort | null
  /** Folders of the data packages; the installed ones when left out. */
  readonly packageDirs?: NetworkPackageDirs
  readonly mmdbFiles?: NetworkMmdbFiles
  readonly clock?: Clock
}

/**
 * The network of an address that an autonomous system announces. A country alone is not shown,
 * since the interface has it only beside an AS number.
 */
export interface AnnouncedNetwork extends NetworkRecord {
  readonly asn: string
}

export interface AsnLookup extends Enricher<AnnouncedNetwork> {
  readonly check: () => ReadinessFinding
  /** Looks at the MMDB files at once, which otherwise happens every minute. */
  readonly refresh: () => Promise<void>
  /** A port for another thread of this process, as its `feed`. */
  readonly openPort: () => MessagePort
}

/** Inside the data folder; a test links a table that is built already to this name. */
export const NETWORK_TABLE_FILE = 'network-table.bin'

/** Does not wait for a build, nor does a look-up; `ask` waits until there is a table. */
export async function openAsn(options: AsnOptions): Promise<AsnLookup> {
  const { dataDir, log, feed, mmdbFiles = NO_MMDB_FILES, clock = systemClock } = options
  const hasMmdb = mmdbFiles.asn !== null || mmdbFiles.country !== null
  const source: NetworkSource =
    feed === undefined || feed === null
      ? await keepNetworks({
          file: path.join(dataDir, NETWORK_TABLE_FILE),
          packageDirs: options.packageDirs ?? findNetworkPackageDirs(),
          mmdbFiles,
          log,
          onReady(date) {
            const { sentence, ageDays } = describeAge(date, clock.nowMs())
            if (hasMmdb && ageDays > MMDB_AGE_DAYS_MAX) log.warn(`${sentence} ${REPLACE_IT}`)
          },
        })
      : await followNetworks(feed)

  const answerNow = (item: Item): Outcome<AnnouncedNetwork> => {
    if (item.kind === 'domain') return OFF
    const state = source.state()
    // Building takes seconds of the first start; no look-up waits for it.
    if (state.kind !== 'ready') return OFF
    const record = lookupNetwork(state, item)
    return isAnnounced(record) ? { kind: 'found', value: record } : ABSENT
  }
  return {
    answerNow,
    async ask(item) {
      await source.pending()
      return answerNow(item)
    },
    whenLate: () => OFF,
    check: () => describeState(source, hasMmdb, clock.nowMs()),
    refresh: source.refresh,
    openPort: source.openPort,
    close: source.close,
  }
}

function isAnnounced(record: NetworkRecord | null): record is AnnouncedNetwork {
  return record?.asn !== undefined
}

// The publishers renew their files monthly or more often.
const MMDB_AGE_DAYS_MAX = 45
const DAY_MS = 86_400_000
const REPLACE_IT = 'Set both MMDB files, and replace the older one.'

function describeState(source: NetworkSource, hasMmdb: boolean, nowMs: number): ReadinessFinding {
  const state = source.state()
  const trouble = source.trouble()
  if (state.kind === 'ready') {
    const { sentence, ageDays } = describeAge(state.table.dataDate, nowMs)
    if (trouble !== null) {
      return { state: 'degraded', detail: `${sentence} The present file is not used: ${trouble}` }
    }
    if (hasMmdb && ageDays > MMDB_AGE_DAYS_MAX) {
      return { state: 'degraded', detail: `${sentence} ${REPLACE_IT}` }
    }
    return { state: 'ok', detail: sentence }
  }
  if (source.pending() !== null) {
    return {
      state: 'off',
      detail: 'The table of networks is being built; look-ups show asn as soon as it is there.',
    }
  }
  if (trouble !== null) {
    const detail = `There is no table of networks, so look-ups leave asn out: ${trouble}`
    return { state: 'degraded', detail }
  }
  const wayOut = source.isInstalled()
    ? 'it could not be built, and the log says why'
    : 'set CASEWORK_NETWORK_ASN_MMDB, or install the packages @ip-location-db/asn and @ip-location-db/geo-whois-asn-country and start again'
  return {
    state: 'off',
    detail: `There is no table of networks, so look-ups leave asn out: ${wayOut}.`,
  }
}

function describeAge(
  date: string | null,
  nowMs: number,
): { readonly sentence: string; readonly ageDays: number } {
  if (date === null) {
    const sentence = 'AS numbers and countries of addresses are those of an unknown day.'
    return { sentence, ageDays: 0 }
  }
  const ageDays = Math.max(0, Math.floor((nowMs - Date.parse(date)) / DAY_MS))
  const age = ageDays === 1 ? '1 day' : `${ageDays} days`
  return {
    sentence: `AS numbers and countries of addresses are those of ${date}, ${age} ago.`,
    ageDays,
  }
}
