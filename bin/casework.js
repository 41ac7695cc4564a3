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
  if (process.argv[2] === 'serve') replaceByTuned()
  await startProgram()
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

// The allocator of glibc keeps freed blocks of up to 32 MB for itself once one of that size was
// freed, and merging the intel set frees many: after an import of a million entries the process
// held twice the memory it used (measured). A fixed threshold gives them back, and is read at the
// start of a process only, so the server takes the place of this one: same number, same streams.
// Elsewhere the variable means nothing.
function replaceByTuned() {
  if (
    process.platform !== 'linux' ||
    process.env.MALLOC_MMAP_THRESHOLD_ !== undefined ||
    process.env.NODE_CHANNEL_FD !== undefined ||
    typeof process.execve !== 'function'
  ) {
    return
  }
  const environment = { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072' }
  // What a look-up leaves behind is swept away all the more often the less room there is for it. V8
  // begins with 1 MB and widens it only when much survives, which here is next to nothing; and it
  // wakes other threads for each sweep, which costs more than they take off. Both together were a
  // fifth to a third of the processor time of a look-up (measured). The collections of the old are
  // as many as V8 lets little grow between them: by a tenth, since it takes a server for idle that
  // leaves next to nothing behind, and what replaced snapshots and bodies take outside the heap
  // counts as well. By half there is one for each list of 100,000 that goes live instead of three,
  // each 5 to 20 ms in which nobody is answered, and half as many in an import (measured).
  const flags = [
    '--min-semi-space-size=16',
    '--max-semi-space-size=16',
    '--no-parallel-scavenge',
    '--heap-growing-percent=50',
  ]
  // The helpers of V8 have the priority of the thread that answers. With a processor to spare they
  // take work off it, without one they stand before it: while a new list went live, look-ups waited
  // up to 130 ms for them. What is left to them goes to one, since four took turns of 4 ms each,
  // one after the other: up to 47 ms with four, 18 with one (measured).
  if (os.availableParallelism() <= 2) {
    flags.push(
      '--v8-pool-size=1',
      '--no-concurrent-marking',
      '--no-parallel-marking',
      '--no-parallel-compaction',
      '--no-parallel-pointer-update',
      '--no-parallel-gc-clearing',
    )
  }
  process.execve(
    process.execPath,
    [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)],
    environment,
  )
}

async function startProgram() {
  endWithStarter()
  // What the sources were compiled to is kept beside the packages, which halves the time of every
  // later start (measured: 1.6 s to 0.8 s). Not in a temporary folder, where others could leave
  // code for us to run; a folder that cannot be written is passed over.
  const cache = fileURLToPath(new URL('../node_modules/.cache/casework', import.meta.url))
  module.enableCompileCache(cache)
  // HTTP threads are told by the variable.
  process.env.NODE_COMPILE_CACHE ??= cache

  // A checkout runs from its sources, the published package (which has no sources) from its build.
  const source = new URL('../src/main.ts', import.meta.url)
  const built = new URL('../dist/main.js', import.meta.url)
  await import((existsSync(fileURLToPath(source)) ? source : built).href)
}
