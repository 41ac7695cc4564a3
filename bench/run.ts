// `npm run bench [-- part …]`: the figures of docs/internals/performance.md, each beside a
// calibration of the same run where there is one. `-- --help` names the parts and their settings.
// Needs Linux (/proc, taskset).

import { cpus, totalmem } from 'node:os'
import { benchAudit } from './audit.ts'
import { benchCitus } from './citus.ts'
import { benchConsole } from './console.ts'
import { benchCorrectness } from './correctness.ts'
import { benchErasures } from './erasures.ts'
import { benchEvents } from './events.ts'
import { benchGrowth } from './growth.ts'
import { benchHosterDay } from './hoster-day.ts'
import { benchIntake } from './intake.ts'
import { benchIntel } from './intel.ts'
import { printSummary } from './lib/report.ts'
import { describeSettings, listUnknownSettings } from './lib/settings.ts'
import { closeStages, openStage, type Stage } from './lib/stage.ts'
import { benchLists } from './lists.ts'
import { benchMail } from './mail.ts'
import { benchMonths } from './months.ts'
import { benchNodes } from './nodes.ts'
import { benchPeers } from './peers.ts'
import { benchPlaybooks } from './playbooks.ts'
import { benchReading } from './reading.ts'
import { benchRowSecurity } from './row-security.ts'
import { benchSearch } from './search.ts'
import { benchStaging } from './staging.ts'
import { benchStall } from './stall.ts'
import { benchTuning } from './tuning.ts'

type Part = () => Promise<void>

const PARTS: Readonly<Record<string, Part>> = {
  intel: onStage(benchIntel),
  correctness: onStage(benchCorrectness),
  stall: onStage(benchStall),
  tuning: onStage(benchTuning),
  staging: onStage(benchStaging),
  growth: benchGrowth,
  nodes: onStage(benchNodes),
  peers: onStage(benchPeers),
  events: onStage(benchEvents),
  intake: benchIntake,
  citus: onStage(benchCitus),
  reading: benchReading,
  hoster: onStage(benchHosterDay),
  lists: onStage(benchLists),
  search: onStage(benchSearch),
  rows: onStage(benchRowSecurity),
  months: onStage(benchMonths),
  erasures: onStage(benchErasures),
  audit: onStage(benchAudit),
  mail: onStage(benchMail),
  playbooks: onStage(benchPlaybooks),
  console: onStage(benchConsole),
}

// An interrupted run leaves no server, database or folder behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeStages().finally(() => process.exit(1)))
}
process.exitCode = await run(process.argv.slice(2))

/** The exit code. */
async function run(wanted: readonly string[]): Promise<number> {
  if (wanted.includes('--help')) {
    console.log(describeUse())
    return 0
  }
  const unknown = [
    ...wanted.filter((name) => !Object.hasOwn(PARTS, name)).map((name) => `part ${name}`),
    ...listUnknownSettings().map((name) => `setting ${name}`),
  ]
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(' and no ')}.\n${describeUse()}`)
    return 2
  }
  console.log(
    `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB. The server runs on processor 0, the load on the others.`,
  )
  const failed = await runParts(wanted.length === 0 ? Object.keys(PARTS) : wanted)
  printSummary()
  if (failed.length > 0) console.error(`\nThese parts failed: ${failed.join(', ')}.`)
  return failed.length > 0 ? 1 : 0
}

function describeUse(): string {
  return `The parts are ${Object.keys(PARTS).join(', ')}.\nSettings of the environment, with their defaults: ${describeSettings()}.`
}

/** The names of those that failed: the others are measured all the same. */
async function runParts(names: readonly string[]): Promise<readonly string[]> {
  const failed: string[] = []
  for (const [name, part] of Object.entries(PARTS)) {
    if (!names.includes(name)) continue
    try {
      await part()
    } catch (error) {
      console.error(`\n${name} failed:`, error)
      failed.push(name)
    }
  }
  return failed
}

/** A part that gets an environment of its own, which ends with it. */
function onStage(bench: (stage: Stage) => Promise<void>): Part {
  return async () => {
    const stage = await openStage()
    try {
      await bench(stage)
    } finally {
      await stage.close()
    }
  }
}
