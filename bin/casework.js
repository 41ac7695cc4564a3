#!/usr/bin/env node
// Launcher in plain JavaScript that any Node since 16 can read: goes over to the Node that npm
// brought along when this one is too old, and starts the program.

import { existsSync } from 'node:fs'
import module from 'node:module'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { endWithStarter, findNodeBeside, runOnNode } from './node-beside.js'

// Since then a thread tells from outside what processor time it used, by which the reading of one
// report is bounded.
const NODE_MIN = [24, 6]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) {
  keepCompiled()
  if (process.argv[2] === 'serve') await replaceByTuned()
  endWithStarter()
  await loadModule('main')
} else {
  const node = findNodeBeside()
  if (node === null) {
    process.stderr.write(
      `casework needs Node ${NODE_MIN.join('.')} or newer and this is Node ${process.versions.node}: run "npm ci" in its folder (npm brings a new enough Node along, except on Intel Macs and on Linux with musl), or put a newer node on the PATH.\n`,
    )
    process.exitCode = 1
  } else {
    runOnNode(node)
  }
}

// The flags of V8 and the setting of the allocator are read at the start of a process only, so the
// server takes the place of this one: same number, same streams.
async function replaceByTuned() {
  if (typeof process.execve !== 'function') return
  const { chooseProcessTuning } = await loadModule('app/tuning/process-tuning')
  const tuning = chooseProcessTuning({
    args: process.argv.slice(3),
    environment: process.env,
    platform: process.platform,
    processors: os.availableParallelism(),
  })
  if (tuning === null) return
  // What was compiled so far is otherwise written at the end of this process, which does not come.
  module.flushCompileCache()
  process.execve(
    process.execPath,
    [process.execPath, ...tuning.flags, ...process.execArgv, ...process.argv.slice(1)],
    { ...process.env, ...tuning.environment },
  )
}

// What the sources were compiled to is kept beside the packages, which halves the time of every
// later start (measured: 1.6 s to 0.8 s). Not in a temporary folder, where others could leave code
// for us to run; a folder that cannot be written is passed over.
function keepCompiled() {
  const cache = fileURLToPath(new URL('../node_modules/.cache/casework', import.meta.url))
  module.enableCompileCache(cache)
  // HTTP threads are told by the variable.
  process.env.NODE_COMPILE_CACHE ??= cache
}

// A checkout runs from its sources, the published package (which has no sources) from its build.
async function loadModule(name) {
  const source = new URL(`../src/${name}.ts`, import.meta.url)
  const built = new URL(`../dist/${name}.js`, import.meta.url)
  return await import((existsSync(fileURLToPath(source)) ? source : built).href)
}
