// What V8 and glibc read at the start of a process only: the flags of V8 and the allocator setting.
// The launcher (bin/casework.js) loads this file before the program, so it imports nothing of ours.
// Reasons and figures: docs/decisions/0013-tuning.md.

import { existsSync, readFileSync } from 'node:fs'

export interface ProcessStart {
  /** Of the command line, without Node and the script. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly processors: number
}

export interface ProcessTuning {
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

// The helper threads of V8 have the priority of the thread that answers. Without a processor to
// spare they run instead of it. One helper is left; of four, each took a turn of 4 ms.
export const V8_FLAGS = [
  '--v8-pool-size=1',
  '--no-concurrent-marking',
  '--no-parallel-marking',
  '--no-parallel-compaction',
  '--no-parallel-pointer-update',
  '--no-parallel-gc-clearing',
] as const
const SPARE_PROCESSORS_MIN = 3
// glibc keeps freed blocks of up to 32 MB once one of that size was freed, and merging the intel
// set frees many. A fixed threshold gives them back. Elsewhere the variable means nothing.
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '131072' }
// glibc asks Linux for pages of 2 MB instead of 4 kB where a block is large enough, which the intel
// set is: a look-up meets few entries, each in another page, and finding a page that the processor
// has forgotten costs as much as reading the entry. An older glibc than 2.35 ignores it.
const HUGE_PAGES = 'glibc.malloc.hugetlb'

/**
 * Null when the process stays as it is: by the setting `tuning`, without `execve`, under a parent
 * with a channel, or because the operator set the allocator.
 */
export function chooseProcessTuning(start: ProcessStart): ProcessTuning | null {
  const { environment, platform, processors } = start
  if (
    platform !== 'linux' ||
    environment['MALLOC_MMAP_THRESHOLD_'] !== undefined ||
    environment['NODE_CHANNEL_FD'] !== undefined ||
    isTuningOff(start)
  ) {
    return null
  }
  return {
    flags: processors < SPARE_PROCESSORS_MIN ? V8_FLAGS : [],
    environment: { ...ALLOCATOR, ...askForHugePages(environment['GLIBC_TUNABLES']) },
  }
}

/** What the operator set stays, also about these pages. */
function askForHugePages(own: string | undefined): Readonly<Record<string, string>> {
  if (own === undefined || own === '') return { GLIBC_TUNABLES: `${HUGE_PAGES}=1` }
  return own.includes(`${HUGE_PAGES}=`) ? {} : { GLIBC_TUNABLES: `${own}:${HUGE_PAGES}=1` }
}

/**
 * Flags win over the environment, the environment over the file, as in kernel/config.ts, which
 * checks the value later. Here a wrong value or an unreadable file means on.
 */
function isTuningOff({ args, environment }: ProcessStart): boolean {
  const value = readFlag(args, '--tuning') ?? environment['CASEWORK_TUNING']
  if (value !== undefined && value !== '') return value === 'off'
  const file = readFlag(args, '--config') ?? environment['CASEWORK_CONFIG'] ?? ''
  return isOffInFile(file === '' ? 'casework.toml' : file)
}

function readFlag(args: readonly string[], name: string): string | undefined {
  const at = args.findLastIndex((arg) => arg === name || arg.startsWith(`${name}=`))
  const arg = args[at]
  return arg === name ? args[at + 1] : arg?.slice(name.length + 1)
}

// The settings have no tables, so a line of TOML is enough.
const OFF_LINE = /^[ \t]*(?:tuning|"tuning"|'tuning')[ \t]*=[ \t]*(["'])off\1/m

function isOffInFile(file: string): boolean {
  try {
    return existsSync(file) && OFF_LINE.test(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}
