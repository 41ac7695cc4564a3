// `casework audit verify`: verifies the chains of the audit log in the database of a configuration,
// beside a running server or without one.

import { type VerifiedChain, verifyDatabase } from '../app/verify-audit-log.ts'
import { createLog } from '../kernel/log.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>

export async function runAuditVerify(flags: Flags): Promise<ExitCode> {
  const output = readOutput(flags, OUTPUTS)
  const chain = typeof flags['chain'] === 'string' ? flags['chain'] : null
  const expectedHead = readExpectedHead(flags, chain)
  const { config } = loadConfigFromFlags(flags)
  const log = createLog({ level: 'warn', isForPeople: process.stderr.isTTY })
  const trustedKeys = Array.isArray(flags['trustKey']) ? flags['trustKey'].map(String) : []
  const chains = await verifyDatabase(config, log, { chain, expectedHead, trustedKeys })
  const isIntact = chains.every(({ intact }) => intact)
  const rows = chains.map((report) =>
    Object.fromEntries(Object.entries(report).filter(([name]) => name !== 'next_cursor')),
  )
  writeRead(output, {
    document: { intact: isIntact, chains: rows },
    rows,
    formatForPeople: () => chains.map(describeChain).join(''),
  })
  return isIntact ? EXIT.ok : EXIT.failure
}

const HEAD = /^\d{1,15}:[0-9a-f]{64}$/

function readExpectedHead(flags: Flags, chain: string | null): string | null {
  const text = flags['expectHead']
  if (typeof text !== 'string') return null
  if (chain === null) {
    throw new CommandFailure('--expect-head needs --chain: a head is of one chain.', EXIT.usage)
  }
  if (HEAD.test(text)) return text
  throw new CommandFailure(
    '--expect-head must be a number, a colon and a hash, as audit verify prints it.',
    EXIT.usage,
  )
}

function describeChain(report: VerifiedChain): string {
  const { tenant_id: chain, head, entries, values, faults, fault_count: count } = report
  const name = chain === '*' ? 'the instance (*)' : chain
  const lines = [
    `${name}: ${entries} entries from number ${report.first_seq}, signed up to ${report.signed_seq}; values of ${values.intact} intact, ${values.erased} changed by erasures, ${values.absent} absent.`,
    ...faults.map(({ kind, seq, detail }) => `  ${kind} at ${seq}: ${detail}`),
    ...(count > faults.length ? [`  and ${count - faults.length} more faults`] : []),
    `  ${count === 0 ? 'intact' : `NOT INTACT, ${count} faults`}; head ${head}`,
  ]
  return lines.map((line) => `${escapeControls(line)}\n`).join('')
}
