// The metric of free disk space, for alarms long before the check `disk` is degraded.

import { Gauge, type Registry } from 'prom-client'

export interface FreeSpace {
  /** Null when it cannot be read. */
  readonly dataBytes: number | null
  /** Null for a database of the operator's, whose disk is not known here. */
  readonly databaseBytes: number | null
}

export function createDiskMetrics(registry: Registry, read: () => Promise<FreeSpace>): void {
  const gauge = new Gauge({
    name: 'casework_disk_free_bytes',
    help: 'Free space of the disk of the data folder and of that of the embedded database.',
    labelNames: ['of'],
    // Every thread reads the same disks.
    aggregator: 'min',
    registers: [registry],
    async collect() {
      gauge.reset()
      const { dataBytes, databaseBytes } = await read()
      if (dataBytes !== null) gauge.set({ of: 'data' }, dataBytes)
      if (databaseBytes !== null) gauge.set({ of: 'database' }, databaseBytes)
    },
  })
}
