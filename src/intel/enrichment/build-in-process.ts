// Builds the network table in a process of its own. Memory that a thread frees stays with its
// process, so a build in this process would double its memory for good.

import { spawn } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { yieldChildProcessor } from '../../kernel/async/background.ts'
import { buildBareEnvironment } from '../../kernel/async/bare-environment.ts'
import { locateScript } from '../../kernel/async/worker-host.ts'
import type { NetworkMmdbFiles, NetworkPackageDirs } from './network-table-build.ts'

export interface BuildOrder {
  readonly file: string
  readonly packageDirs: NetworkPackageDirs
  readonly mmdbFiles: NetworkMmdbFiles
}

// From the packages the build takes two seconds on an idle core. An MMDB file with 580,000 networks
// takes 11 s (measured 2026-11-23), so 3 million take a minute; a much slower build is stuck.
const BUILD_TIMEOUT_MS = 300_000
// Enough for the sentence of an error with its file and line.
const REASON_LENGTH_MAX = 2_000

/**
 * Resolves when the file is written; rejects with the error text of the builder. Ends the builder
 * when the signal is aborted.
 */
export async function buildInProcess(order: BuildOrder, signal: AbortSignal): Promise<void> {
  await removeLeftovers(order.file)
  signal.throwIfAborted()
  const program = locateScript('build-network-table', import.meta.url)
  const child = spawn(process.execPath, [fileURLToPath(program), JSON.stringify(order)], {
    // Nothing is written to its standard input: the builder ends when that is closed, as it is when
    // this process is killed. Otherwise it would go on for minutes on a busy machine.
    stdio: ['pipe', 'ignore', 'pipe'],
    // No settings and secrets of ours: the builder needs only its argument.
    env: buildBareEnvironment(),
    signal,
    killSignal: 'SIGKILL',
    timeout: BUILD_TIMEOUT_MS,
  })
  if (child.pid !== undefined) yieldChildProcessor(child.pid)
  let reason = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    reason = (reason + text).slice(0, REASON_LENGTH_MAX)
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) => {
      // A process that was stopped by the signal has ended only at its close.
      if (!signal.aborted) reject(error)
    })
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve()
      else reject(new Error(reason.trim() || `the builder ended with ${code ?? killedBy}`))
    })
  })
}

// A killed build leaves an unfinished file. The data folder belongs to one process, and only its
// main thread builds.
async function removeLeftovers(file: string): Promise<void> {
  const folder = path.dirname(file)
  const start = `${path.basename(file)}.`
  for (const name of await readdir(folder)) {
    if (name.startsWith(start) && name.endsWith('.tmp')) {
      await rm(path.join(folder, name), { force: true })
    }
  }
}
