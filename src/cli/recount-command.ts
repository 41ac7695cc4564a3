// `casework doctor --recount`: compares the counters and summaries of cases with their events,
// correlation keys, merges and history. Exit code 0 when nothing differs, or when every difference
// was repaired.

import { recountDatabase } from '../app/recount-tenants.ts'
import { createLog } from '../kernel/log.ts'
import { requireConsent } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls } from './format-table.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

export async function runRecount(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const { config } = loadConfigFromFlags(flags)
  const log = createLog({ level: 'warn', isForPeople: process.stderr.isTTY })
  const repair = flags['repair'] === true
  if (repair) {
    await requireConsent('Repair the cases that differ? Each gets a row in its history.', flags)
  }
  let results = await recountDatabase(config, log, { repair })
  const isJson = flags['output'] === 'json'
  const first = results
  for (const { tenantId, differences, differenceCount, cases, repaired } of isJson ? [] : results) {
    for (const { caseId, kind, detail } of differences) {
      process.stdout.write(`${escapeControls(`${tenantId} ${caseId} ${kind}: ${detail}`)}\n`)
    }
    const mended = repair ? `, ${repaired} cases repaired` : ''
    process.stdout.write(`${tenantId}: ${cases} cases, ${differenceCount} differences${mended}.\n`)
  }
  const isRepaired = results.some(({ repaired }) => repaired > 0)
  if (isRepaired) results = await recountDatabase(config, log, { repair: false })
  const ok = results.every(({ differenceCount }) => differenceCount === 0)
  if (isJson) process.stdout.write(`${JSON.stringify({ ok, tenants: first }, null, 2)}\n`)
  return ok ? EXIT.ok : EXIT.failure
}
