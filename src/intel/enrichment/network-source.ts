// Gives a thread its table of networks. The first thread of a process reads the file, starts a
// build when it is missing or old, and shares the one copy in memory (18 MB) with the others
// through ports. It looks every minute whether the operator replaced an MMDB file.

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { every } from '../../kernel/async/every.ts'
import type { Log } from '../../kernel/log.ts'
import { buildInProcess } from './build-in-process.ts'
import {
  loadNetworkTable,
  NetworkTable,
  type NetworkTableMeta,
  type NetworkTableState,
} from './network-table.ts'
import {
  isSame,
  type NetworkMmdbFiles,
  type NetworkPackageDirs,
  NO_MMDB_FILES,
  readMeta,
} from './network-table-build.ts'

export interface NetworkSource {
  readonly state: () => NetworkTableState
  /** Resolves when the running build has ended; null when there is none. */
  readonly pending: () => Promise<void> | null
  /** False when there are no data packages to build from. */
  readonly isInstalled: () => boolean
  /** Why the MMDB files are not used as they are now; null when they are, or none is set. */
  readonly trouble: () => string | null
  /** Looks at the files at once, and waits for the build that this starts. */
  readonly refresh: () => Promise<void>
  /** A port for another thread of this process, for `followNetworks` there. */
  readonly openPort: () => MessagePort
  readonly close: () => Promise<void>
}

/** Sent to a follower at first and at every change. */
interface NetworkMessage {
  /** Null when there is no table. */
  readonly buffer: SharedArrayBuffer | null
  readonly isPending: boolean
  readonly isInstalled: boolean
  readonly trouble: string | null
}

export interface KeepOptions {
  readonly file: string
  readonly packageDirs: NetworkPackageDirs
  readonly mmdbFiles?: NetworkMmdbFiles
  readonly log: Log
  /** Called with the day of the data of each table that comes into use. */
  readonly onReady?: (dataDate: string | null) => void
}

// Tools such as geoipupdate replace the files once or twice a week; a look costs two calls of stat.
const MMDB_PAUSE_MS = 60_000

/** Reads the table when it was built before; otherwise starts a build and does not wait for it. */
export async function keepNetworks(options: KeepOptions): Promise<NetworkSource> {
  const { file, packageDirs, mmdbFiles = NO_MMDB_FILES, log } = options
  const hasMmdb = mmdbFiles.asn !== null || mmdbFiles.country !== null
  const stopping = new AbortController()
  const ports: MessagePort[] = []
  let state = await loadNetworkTable(file)
  let pending: Promise<void> | null = null
  let isInstalled = false
  let trouble: string | null = null
  // The version of the last build, so that a damaged file is not built again every minute.
  let tried: NetworkTableMeta | null = null

  const message = (): NetworkMessage => ({
    buffer: state.kind === 'ready' ? state.table.buffer : null,
    isPending: pending !== null,
    isInstalled,
    trouble,
  })
  const tellFollowers = (): void => {
    for (const port of ports) post(port, message())
  }
  const complain = (what: string, error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error)
    if (hasMmdb && trouble === reason) return
    if (hasMmdb) trouble = reason
    const kept = state.kind === 'ready' ? 'the former table stays in use' : 'look-ups leave asn out'
    log.warn(`${what}; ${kept}`, { error: reason })
  }
  const tellDate = (): void => {
    if (state.kind === 'ready') options.onReady?.(state.table.dataDate)
  }
  const build = async (): Promise<void> => {
    try {
      await buildInProcess({ file, packageDirs, mmdbFiles }, stopping.signal)
      const renewed = await loadNetworkTable(file)
      // The table of older packages stays in use when the new one cannot be built.
      if (renewed.kind === 'ready' || state.kind !== 'ready') state = renewed
      trouble = null
      tellDate()
    } catch (error) {
      if (stopping.signal.aborted) return
      complain('The table of networks could not be built', error)
    } finally {
      pending = null
      tellFollowers()
    }
  }
  /** Starts a build when files or packages are others than those of the table. */
  const examine = async (): Promise<void> => {
    if (pending !== null || stopping.signal.aborted) return
    try {
      const wanted = await readMeta(packageDirs, mmdbFiles)
      isInstalled = wanted.asnVersion !== null || wanted.countryVersion !== null
      if (!isInstalled) return
      if (state.kind === 'ready' && isSame(state.table.meta, wanted)) {
        trouble = null
        tellFollowers()
      } else if (tried === null || !isSame(tried, wanted)) {
        tried = wanted
        pending = build()
      }
    } catch (error) {
      tried = null
      complain('The data of networks cannot be read', error)
      tellFollowers()
    }
  }
  tellDate()
  await examine()
  const stopLooking = hasMmdb
    ? every(MMDB_PAUSE_MS, examine, () => undefined)
    : () => Promise.resolve()
  return {
    state: () => state,
    pending: () => pending,
    isInstalled: () => isInstalled,
    trouble: () => trouble,
    async refresh() {
      await examine()
      await pending
    },
    openPort() {
      const { port1, port2 } = new MessageChannel()
      ports.push(port1)
      post(port1, message())
      return port2
    },
    async close() {
      stopping.abort()
      await stopLooking()
      await pending
      for (const port of ports) port.close()
    },
  }
}

/** The table of the thread at the other end of the port; resolves with its first message. */
export async function followNetworks(port: MessagePort): Promise<NetworkSource> {
  let last = await new Promise<NetworkMessage>((resolve) => {
    port.once('message', resolve)
  })
  let state = stateOf(last)
  const finished = Promise.withResolvers<void>()
  port.on('message', (next: NetworkMessage) => {
    last = next
    state = stateOf(next)
    if (!next.isPending) finished.resolve()
  })
  port.on('close', () => finished.resolve())
  port.unref()
  return {
    state: () => state,
    pending: () => (last.isPending ? finished.promise : null),
    isInstalled: () => last.isInstalled,
    trouble: () => last.trouble,
    refresh: () => Promise.resolve(),
    openPort() {
      throw new Error('a follower has no followers')
    },
    async close() {
      port.close()
    },
  }
}

function stateOf({ buffer }: NetworkMessage): NetworkTableState {
  return buffer === null
    ? { kind: 'no-data', reason: 'no-file' }
    : { kind: 'ready', table: NetworkTable.fromBuffer(buffer) }
}

function post(port: MessagePort, message: NetworkMessage): void {
  // A port between threads knows no origins; the rule means windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  port.postMessage(message)
}
