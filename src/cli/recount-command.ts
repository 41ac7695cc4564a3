// `casework doctor --recount`: compares the counters and summaries of cases with their events,
// correlation keys, merges, history and runs, and lists runs that are stuck. Exit code 0 when
// nothing differs or is stuck, or when every difference was repaired.

import { recountDatabase, type TenantRecount } from '../app/recount-tenants.ts'
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
  const found = await recountDatabase(config, log, { repair })
  if (output === 'human') {
    for (const tenant of found) process.stdout.write(describeTenant(tenant, repair))
  }
  // Whether a repair has helped is asked of the database again.
  const wasRepaired = found.some(({ repaired }) => repaired > 0)
  const left = wasRepaired ? await recountDatabase(config, log, { repair: false }) : found
  const ok = left.every(({ differenceCount, stuck }) => {
    return differenceCount === 0 && stuck.length === 0
  })
  if (output !== 'human') {
    const rows = found.map((tenant) => ({ ...tenant }))
    writeRead(output, { document: { ok, tenants: found }, rows, formatForPeople: () => '' })
  }
  return ok ? EXIT.ok : EXIT.failure
}

function describeTenant(tenant: TenantRecount, repair: boolean): string {
  const { tenantId, differences, differenceCount, cases, repaired, stuck } = tenant
  const mended = repair ? `, ${repaired} cases repaired` : ''
  const runs = stuck.length === 0 ? '' : `, ${stuck.length} stuck runs`
  const lines = [
    ...differences.map(({ caseId, kind, detail }) => `${tenantId} ${caseId} ${kind}: ${detail}`),
    ...stuck.map(({ runId, tokenId, node, fault, repair: advice }) => {
      const place = tokenId === null ? '' : ` token ${tokenId} at ${node}`
      return `${tenantId} run ${runId}${place} ${fault}: ${advice}`
    }),
    `${tenantId}: ${cases} cases, ${differenceCount} differences${mended}${runs}.`,
  ]
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
