// Shared by the benches of other products: whether one is installed, and a port for it.

import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { Figure } from './report.ts'

/** A product without a figure of ours beside it: its rate is that of this machine only. */
export function describePeer(name: string, ours: string): Figure {
  return { name, ours, calibration: '-', ratio: null }
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
