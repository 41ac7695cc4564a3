// Finds the autonomous system and country of an address in a local table (design 4.4: sends no
// question). A process of its own builds the table at the first start and after an update of the
// data packages; until then the member is left out.

import path from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { Log } from '../../kernel/log.ts'
import type { ReadinessFinding } from '../../kernel/readiness.ts'
import type { Item } from '../../values/item.ts'
import { ABSENT } from '../dns/dns-answer.ts'
import { type Enricher, OFF, type Outcome } from './enrichment-outcome.ts'
import { followNetworks, keepNetworks, type NetworkSource } from './network-source.ts'
import { lookupNetwork, type NetworkRecord } from './network-table.ts'
import { findNetworkPackageDirs, type NetworkPackageDirs } from './network-table-build.ts'

export interface AsnOptions {
  readonly dataDir: string
  readonly log: Log
  /** A port of the first thread of this process, which reads and builds the table. */
  readonly feed?: MessagePort | null
  /** Folders of the data packages; the installed ones when left out. */
  readonly packageDirs?: NetworkPackageDirs
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
  /** A port for another thread of this process, as its `feed`. */
  readonly openPort: () => MessagePort
}

/** Inside the data folder; a test links a table that is built already to this name. */
export const NETWORK_TABLE_FILE = 'network-table.bin'

/** Does not wait for a build, nor does a look-up; `ask` waits until there is a table. */
export async function openAsn(options: AsnOptions): Promise<AsnLookup> {
  const { dataDir, log, feed } = options
  const source: NetworkSource =
    feed === undefined || feed === null
      ? await keepNetworks({
          file: path.join(dataDir, NETWORK_TABLE_FILE),
          packageDirs: options.packageDirs ?? findNetworkPackageDirs(),
          log,
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
    check: () => describeState(source),
    openPort: source.openPort,
    close: source.close,
  }
}

function isAnnounced(record: NetworkRecord | null): record is AnnouncedNetwork {
  return record?.asn !== undefined
}

function describeState(source: NetworkSource): ReadinessFinding {
  const state = source.state()
  if (state.kind === 'ready') {
    const date = state.table.dataDate ?? 'an unknown day'
    return { state: 'ok', detail: `AS numbers and countries of addresses are those of ${date}.` }
  }
  if (source.pending() !== null) {
    return {
      state: 'off',
      detail: 'The table of networks is being built; look-ups show asn as soon as it is there.',
    }
  }
  const wayOut = source.isInstalled()
    ? 'it could not be built, and the log says why'
    : 'install the packages @ip-location-db/asn and @ip-location-db/geo-whois-asn-country and start again'
  return {
    state: 'off',
    detail: `There is no table of networks, so look-ups leave asn out: ${wayOut}.`,
  }
}
