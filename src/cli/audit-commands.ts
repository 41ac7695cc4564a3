// The commands of the audit log that are no operation of the interface.

import type { Command } from 'commander'
import { READ_OUTPUT } from './read-output.ts'
import { addSettingFlags } from './settings-flags.ts'

export function addAuditCommands(program: Command, setExitCode: (code: number) => void): void {
  const audit = program.command('audit').description('Read and verify the audit log.')
  addSettingFlags(audit.command('verify'), ['data_dir', 'database_url'])
    .description(
      'Verify the audit log in the database, and print the end of each chain. Exit code 1 when something was changed, deleted or inserted.',
    )
    .option('--chain <tenant>', 'Only the chain of this tenant, or * for that of the instance.')
    .option('--expect-head <head>', 'With --chain: a head that you kept, as it was printed.')
    .option('--trust-key <id...>', 'A key of signatures that this instance does not hold.')
    .option(...READ_OUTPUT)
    .action(async (flags: Readonly<Record<string, unknown>>) => {
      const { runAuditVerify } = await import('./audit-verify-command.ts')
      setExitCode(await runAuditVerify(flags))
    })
}
