// Notices the end of the npm that started this process. npm ends within milliseconds of a signal
// and leaves its child running, and the shell between them may run on, so on Linux the parent of
// the shell is watched too.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 200
const INIT = 1

/** Resolves when the parent process, or on Linux the parent of a shell in between, has changed. */
export async function whenStarterIsGone(): Promise<void> {
  const parent = process.ppid
  const starter = readProcess(parent)
  // npm may have ended before this check. In a container npm itself can be process 1.
  if (parent === INIT && starter !== null && !STARTERS.test(starter.name)) return
  const grandparent = findStarterBehindShell(starter)
  // The loop ends with the process at the latest.
  for (;;) {
    await delay(POLL_MS, undefined, { ref: false })
    if (process.ppid !== parent) return
    if (grandparent !== null && readProcess(parent)?.parent !== grandparent) return
  }
}

const STARTERS = /^(npm|node|yarn|pnpm|bun|sh|dash|bash|ash|busybox)\b/
const SHELLS = /^(sh|dash|bash|ash|busybox)$/

function findStarterBehindShell(starter: ProcessFacts | null): number | null {
  return starter !== null && SHELLS.test(starter.name) ? starter.parent : null
}

interface ProcessFacts {
  readonly name: string
  readonly parent: number
}

/** Null where there is no /proc, or no such process any more. */
function readProcess(pid: number): ProcessFacts | null {
  try {
    // proc(5): `pid (name) state ppid …`; the name may hold spaces and brackets, so it is cut at
    // the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    return {
      name: stat.slice(stat.indexOf('(') + 1, end),
      parent: Number(stat.slice(end + 2).split(' ')[1]),
    }
  } catch {
    return null
  }
}
