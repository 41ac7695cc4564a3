// The metric of own networks: how many known items lie inside them. It is counted when the metrics
// are read and the last count is old, by the one thread of a process that keeps the set.

import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../kernel/clock.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import type { NetworkDirectory } from './network-directory.ts'
import type { OwnNetworks } from './own-networks.ts'
import { type KnownCounts, readKnown } from './read-known.ts'

// Each count is a pass over the whole set.
const KEPT_MS = 60_000

export interface NetworkMetricsDeps {
  readonly registry: Registry
  readonly index: Pick<IntelIndex, 'view'>
  readonly clock: Clock
  readonly networks: Pick<NetworkDirectory, 'networks'>
}

interface Counted {
  readonly atMs: number
  readonly own: OwnNetworks
  readonly counts: KnownCounts
}

export function createNetworkMetrics({
  registry,
  index,
  clock,
  networks,
}: NetworkMetricsDeps): void {
  let last: Counted | null = null
  const gauge = new Gauge({
    name: 'casework_own_network_items',
    help: 'Known addresses and ranges inside own networks, by state; one item may have several.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const own = networks.networks()
      const nowMs = clock.nowMs()
      // A change of the networks is counted at once, since a person looks right after it.
      if (last === null || last.own !== own || nowMs - last.atMs >= KEPT_MS) {
        const { counts } = await readKnown(index.view(), own, nowMs, { after: null, limit: 0 })
        last = { atMs: nowMs, own, counts }
      }
      for (const [state, count] of Object.entries(last.counts)) gauge.set({ state }, count)
    },
  })
}
