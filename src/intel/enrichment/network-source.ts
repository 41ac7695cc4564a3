// Gives a thread its table of networks. The first thread of a process reads the file, starts a
// build when it is missing or old, and shares the one copy in memory (18 MB) with the others
// through ports.

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Log } from '../../kernel/log.ts'
import { buildInProcess } from './build-in-process.ts'
import { loadNetworkTable, NetworkTable, type NetworkTableState } from './network-table.ts'
import { isSame, type NetworkPackageDirs, readMeta } from './network-table-build.ts'

export interface NetworkSource {
  readonly state: () => NetworkTableState
  /** Resolves when the running build has ended; null when there is none. */
  readonly pending: () => Promise<void> | null
  /** False when there are no data packages to build from. */
  readonly isInstalled: () => boolean
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
}

export interface KeepOptions {
  readonly file: string
  readonly packageDirs: NetworkPackageDirs
  readonly log: Log
}

/** Reads the table when it was built before; otherwise starts a build and does not wait for it. */
export async function keepNetworks(options: KeepOptions): Promise<NetworkSource> {
  const { file, packageDirs, log } = options
  const stopping = new AbortController()
  const ports: MessagePort[] = []
  let state = await loadNetworkTable(file)
  let pending: Promise<void> | null = null
  const wanted = await readInstalledMeta(packageDirs, log)

  const message = (): NetworkMessage => ({
    buffer: state.kind === 'ready' ? state.table.buffer : null,
    isPending: pending !== null,
    isInstalled: wanted !== null,
  })
  const renew = async (): Promise<void> => {
    try {
      await buildInProcess({ file, packageDirs }, stopping.signal)
      const renewed = await loadNetworkTable(file)
      // The table of older packages stays in use when the new one cannot be built.
      if (renewed.kind === 'ready' || state.kind !== 'ready') state = renewed
    } catch (error) {
      if (stopping.signal.aborted) return
      log.warn('The table of networks could not be built, so look-ups leave asn out', {
        error: String(error),
      })
    } finally {
      pending = null
      for (const port of ports) post(port, message())
    }
  }
  if (wanted !== null && !(state.kind === 'ready' && isSame(state.table.meta, wanted))) {
    pending = renew()
  }
  return {
    state: () => state,
    pending: () => pending,
    isInstalled: () => wanted !== null,
    openPort() {
      const { port1, port2 } = new MessageChannel()
      ports.push(port1)
      post(port1, message())
      return port2
    },
    async close() {
      stopping.abort()
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

/** Versions of the installed packages; null when there are none, or none can be read. */
async function readInstalledMeta(
  packageDirs: NetworkPackageDirs,
  log: Log,
): Promise<Awaited<ReturnType<typeof readMeta>> | null> {
  try {
    const meta = await readMeta(packageDirs)
    return meta.asnVersion === null && meta.countryVersion === null ? null : meta
  } catch (error) {
    log.warn('The data packages of networks cannot be read', { error: String(error) })
    return null
  }
}
