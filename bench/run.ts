// `npm run bench [-- part …]`: every figure of the performance page beside its calibration of the
// same run. Needs Linux (/proc, taskset).

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
import { openStage } from './lib/stage.ts'
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

const PARTS = {
  intel: benchIntel,
  correctness: benchCorrectness,
  stall: benchStall,
  tuning: benchTuning,
  staging: benchStaging,
  growth: benchGrowth,
  nodes: benchNodes,
  peers: benchPeers,
  events: benchEvents,
  intake: benchIntake,
  citus: benchCitus,
  reading: benchReading,
  hoster: benchHosterDay,
  lists: benchLists,
  search: benchSearch,
  rows: benchRowSecurity,
  months: benchMonths,
  erasures: benchErasures,
  audit: benchAudit,
  mail: benchMail,
  playbooks: benchPlaybooks,
  console: benchConsole,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}.`,
  )
  process.exit(2)
}
console.log(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB. The server runs on processor 0, the load on the others.`,
)
for (const [name, bench] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const stage = await openStage()
  try {
    await bench(stage)
  } finally {
    await stage.close()
  }
}
printSummary()
