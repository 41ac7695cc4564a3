// The own networks of this thread, read as a whole and again after each change. Reports are read
// with them in mind, so a question asks no database.

import type { Db } from '../../kernel/db/database.ts'
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
  /** The same for the poll (app/follow-database.ts), which has read the serial. */
  readonly follow: (newest: number) => Promise<void>
  readonly close: () => Promise<void>
}

export async function openNetworkDirectory(db: Db): Promise<NetworkDirectory> {
  let networks = new OwnNetworks([])
  let seen = -1
  const read = async (given?: number): Promise<void> => {
    const serial = given ?? (await readNetworkSerial(db))
    if (serial === seen) return
    networks = new OwnNetworks(await listNetworks(db))
    seen = serial
  }
  // One reading at a time, so that an older one cannot overwrite a newer one.
  let last: Promise<void> = Promise.resolve()
  const inTurn = (given?: number): Promise<void> => {
    const reading = last.then(() => read(given))
    last = reading.catch(() => undefined)
    return reading
  }
  await inTurn()
  return {
    networks: () => networks,
    isOwnAddress: (address) => networks.isOwnAddress(address),
    refresh: () => inTurn(),
    follow: (newest) => inTurn(newest),
    async close() {
      await last
    },
  }
}
