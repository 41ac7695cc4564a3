// The own networks of this thread, read as a whole and again after each change. Reports are read
// with them in mind, so a question asks no database.

import { every } from '../../kernel/async/every.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/log.ts'
import type { AddressItem } from '../../values/address.ts'
import { listNetworks, readNetworkSerial } from '../sources/networks/network-store.ts'
import { OwnNetworks } from './own-networks.ts'

export interface NetworkDirectory {
  /** The own networks as they are now. */
  readonly networks: () => OwnNetworks
  /** True for an address inside an own range. */
  readonly isOwnAddress: (address: AddressItem) => boolean
  /** Reads changes at once; rejects when the database does not answer. */
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

// A change made on another node shows here within this.
const POLL_MS = 2_000

export async function openNetworkDirectory({
  db,
  log,
}: {
  readonly db: Db
  readonly log: Log
}): Promise<NetworkDirectory> {
  let networks = new OwnNetworks([])
  let seen = -1
  const read = async (): Promise<void> => {
    const serial = await readNetworkSerial(db)
    if (serial === seen) return
    networks = new OwnNetworks(await listNetworks(db))
    seen = serial
  }
  // One reading at a time, so that an older one cannot overwrite a newer one.
  let last: Promise<void> = Promise.resolve()
  const refresh = (): Promise<void> => {
    const reading = last.then(read)
    last = reading.catch(() => undefined)
    return reading
  }
  await refresh()
  const stop = every(POLL_MS, refresh, (error) =>
    log.debug('Own networks could not be refreshed', { error: String(error) }),
  )
  return {
    networks: () => networks,
    isOwnAddress: (address) => networks.isOwnAddress(address),
    refresh,
    async close() {
      await stop()
      await last
    },
  }
}
