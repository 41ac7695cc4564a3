// Shared by the benches of other products: whether one is installed, and how its figure reads.

import { execFileSync } from 'node:child_process'
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
