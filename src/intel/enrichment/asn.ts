// The autonomous system and country of an address, from the local table (design 4.4: asks nobody). The table is built at the first start
// and after an update of the data packages, beside the serving threads; until it is there the member is left out.

import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread, Worker } from 'node:worker_threads'
import type { ReadinessFinding } from '../../kernel/foundation.ts'
import type { Log } from '../../kernel/log.ts'
import type { Item } from '../model/item.ts'
import type { BuildMessage, BuildStart } from './build-network-table-thread.ts'
import {
  loadNetworkTable,
  lookupNetwork,
  type NetworkRecord,
  type NetworkTableMeta,
  type NetworkTableState,
} from './network-table.ts'
import {
  findNetworkPackageDirs,
  isSame,
  type NetworkPackageDirs,
  readMeta,
} from './network-table-build.ts'
import { ABSENT, type Enricher, OFF, type Outcome } from './outcome.ts'

export interface AsnOptions {
  readonly dataDir: string
  readonly log: Log
  /** Several threads share the file and one of them builds it: the main thread, unless a test says otherwise. */
  readonly mayBuild?: boolean
  /** Folders of the data packages; the installed ones when left out. */
  readonly packageDirs?: NetworkPackageDirs
}

/** Of an address that an autonomous system announces; a country alone is not shown, since the interface has it only beside a number. */
export interface AnnouncedNetwork extends NetworkRecord {
  readonly asn: string
}

export interface AsnLookup extends Enricher<AnnouncedNetwork> {
  readonly check: () => ReadinessFinding
}

/** Inside the data folder; a test links a table that is built already to this name. */
export const NETWORK_TABLE_FILE = 'network-table.bin'

/** Reads the table if it was built before (60 ms), and begins to build it otherwise, without waiting for that. */
export async function openAsn(options: AsnOptions): Promise<AsnLookup> {
  const { log } = options
  const file = path.join(options.dataDir, NETWORK_TABLE_FILE)
  const packageDirs = options.packageDirs ?? findNetworkPackageDirs()
  const stopping = new AbortController()
  let state: NetworkTableState = await loadNetworkTable(file)
  let pending: Promise<void> | null = null

  const renew = async (wanted: NetworkTableMeta): Promise<void> => {
    try {
      if (options.mayBuild ?? isMainThread) {
        await buildInThread({ file, packageDirs }, stopping.signal)
      }
      const renewed = await waitForTable(file, wanted, stopping.signal)
      // A table of older packages goes on serving when the newer one does not come.
      if (renewed.kind === 'ready' || state.kind !== 'ready') state = renewed
    } catch (error) {
      if (stopping.signal.aborted) return
      log.warn('The table of networks could not be built, so look-ups leave asn out', {
        error: String(error),
      })
    } finally {
      pending = null
    }
  }
  const wanted = await readInstalledMeta(packageDirs, log)
  if (wanted !== null && !(state.kind === 'ready' && isSame(state.table.meta, wanted))) {
    pending = renew(wanted)
  }

  const answerNow = (item: Item): Outcome<AnnouncedNetwork> | null => {
    if (item.kind === 'domain') return OFF
    if (state.kind !== 'ready') return pending === null ? OFF : null
    const record = lookupNetwork(state, item)
    return isAnnounced(record) ? { kind: 'found', value: record } : ABSENT
  }
  return {
    answerNow,
    async ask(item) {
      await pending
      return answerNow(item) ?? OFF
    },
    whenLate: () => OFF,
    check: () =>
      describeState(state, { isPending: pending !== null, isInstalled: wanted !== null }),
    async close() {
      stopping.abort()
      await pending
    },
  }
}

function isAnnounced(record: NetworkRecord | null): record is AnnouncedNetwork {
  return record?.asn !== undefined
}

/** What the installed packages hold; null when there are none, or none that can be read. */
async function readInstalledMeta(
  packageDirs: NetworkPackageDirs,
  log: Log,
): Promise<NetworkTableMeta | null> {
  try {
    const meta = await readMeta(packageDirs)
    return meta.asnVersion === null && meta.countryVersion === null ? null : meta
  } catch (error) {
    log.warn('The data packages of networks cannot be read', { error: String(error) })
    return null
  }
}

async function buildInThread(start: BuildStart, signal: AbortSignal): Promise<void> {
  await removeLeftovers(start.file)
  if (signal.aborted) return
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./build-network-table-thread.${extension}`, import.meta.url), {
    workerData: start,
  })
  const stop = (): void => {
    void worker.terminate()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const message = await new Promise<BuildMessage>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the building thread ended early')))
    })
    if (message.kind === 'failed') throw new Error(message.reason)
  } finally {
    signal.removeEventListener('abort', stop)
    // Its memory is given back before anything else is done.
    await worker.terminate()
  }
}

// A build that was killed leaves its unfinished file. The data folder belongs to one process, whose main thread alone builds.
async function removeLeftovers(file: string): Promise<void> {
  const folder = path.dirname(file)
  const start = `${path.basename(file)}.`
  for (const name of await readdir(folder)) {
    if (name.startsWith(start) && name.endsWith('.tmp')) {
      await rm(path.join(folder, name), { force: true })
    }
  }
}

// The other threads look for what the main thread builds; 20 looks are ten seconds, six times what it takes. Look-ups wait meanwhile.
const LOOKS_MAX = 20
const LOOK_PAUSE_MS = 500

/** The table of the wanted packages once it is there, else what there is in the end. */
async function waitForTable(
  file: string,
  wanted: NetworkTableMeta,
  signal: AbortSignal,
): Promise<NetworkTableState> {
  for (let look = 1; ; look += 1) {
    const state = await loadNetworkTable(file)
    const isWanted = state.kind === 'ready' && isSame(state.table.meta, wanted)
    if (isWanted || look === LOOKS_MAX) return state
    await delay(LOOK_PAUSE_MS, undefined, { signal, ref: false })
  }
}

function describeState(
  state: NetworkTableState,
  { isPending, isInstalled }: { readonly isPending: boolean; readonly isInstalled: boolean },
): ReadinessFinding {
  if (state.kind === 'ready') {
    const date = state.table.dataDate ?? 'an unknown day'
    return { state: 'ok', detail: `AS numbers and countries of addresses are those of ${date}.` }
  }
  if (isPending) {
    return {
      state: 'off',
      detail: 'The table of networks is being built; look-ups show asn as soon as it is there.',
    }
  }
  const wayOut = isInstalled
    ? 'it could not be built, and the log says why'
    : 'install the packages @ip-location-db/asn and @ip-location-db/geo-whois-asn-country and start again'
  return {
    state: 'off',
    detail: `There is no table of networks, so look-ups leave asn out: ${wayOut}.`,
  }
}
