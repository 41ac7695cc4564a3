// `casework doctor --recount`: compares the counters and summaries of cases with their events,
// correlation keys, merges, history and runs, and lists runs that are stuck. Exit code 0 when
// nothing differs or is stuck, or when every difference was repaired.

import { recountDatabase } from '../app/recount-tenants.ts'
import { createLog } from '../kernel/log.ts'
import { requireConsent } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

export async function runRecount(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const output = readOutput(flags, OUTPUTS)
  const { config } = loadConfigFromFlags(flags)
  const log = createLog({ level: 'warn', isForPeople: process.stderr.isTTY })
  const repair = flags['repair'] === true
  if (repair) {
    await requireConsent('Repair the cases that differ? Each gets a row in its history.', flags)
  }
  let results = await recountDatabase(config, log, { repair })
  const isForPeople = output === 'human'
  const first = results
  for (const { tenantId, differences, differenceCount, cases, repaired, stuck } of isForPeople
    ? results
    : []) {
    for (const { caseId, kind, detail } of differences) {
      process.stdout.write(`${escapeControls(`${tenantId} ${caseId} ${kind}: ${detail}`)}\n`)
    }
    for (const { runId, tokenId, node, fault, repair: advice } of stuck) {
      const place = tokenId === null ? '' : ` token ${tokenId} at ${node}`
      const line = `${tenantId} run ${runId}${place} ${fault}: ${advice}`
      process.stdout.write(`${escapeControls(line)}\n`)
    }
    const mended = repair ? `, ${repaired} cases repaired` : ''
    process.stdout.write(
      `${tenantId}: ${cases} cases, ${differenceCount} differences${mended}${stuck.length === 0 ? '' : `, ${stuck.length} stuck runs`}.\n`,
    )
  }
  const isRepaired = results.some(({ repaired }) => repaired > 0)
  if (isRepaired) results = await recountDatabase(config, log, { repair: false })
  const ok = results.every(({ differenceCount, stuck }) => {
    return differenceCount === 0 && stuck.length === 0
  })
  if (!isForPeople) {
    const rows = first.map((tenant) => ({ ...tenant }))
    writeRead(output, { document: { ok, tenants: first }, rows, formatForPeople: () => '' })
  }
  return ok ? EXIT.ok : EXIT.failure
}
