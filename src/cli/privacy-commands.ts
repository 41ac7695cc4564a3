// The commands about people's data, `casework privacy …`; their code is in erase.ts,
// erase-again-command.ts, export-command.ts and legal-hold-command.ts.

import type { Command } from 'commander'
import { DRY_RUN, READ_OUTPUT } from './read-output.ts'
import { addSettingFlags } from './settings-flags.ts'

type Flags = Record<string, unknown>

export function addPrivacyCommands(
  program: Command,
  addServerFlags: (command: Command) => Command,
): void {
  const privacy = program
    .command('privacy')
    .description('Export and erase the data of a person; put legal holds on cases.')
  const addErase = (parent: Command, isHidden: boolean): void => {
    addServerFlags(parent.command('erase', { hidden: isHidden }))
      .description(
        'Erase e-mail addresses of people in everything that the tenant has, with their raw reports.',
      )
      .argument('[address...]', 'The addresses.')
      .option('--file <file>', 'More addresses, one a line; - for standard input.')
      .option('--repeat <id>', 'Make an earlier erasure once more, by its id, without addresses.')
      .option('--preview', 'Count where they stand, and change nothing.')
      .option('--yes', 'Erase without a question; needed without a terminal.')
      .option('-o, --output <format>', 'human or json', 'human')
      .action(async (addresses: string[], flags: Flags) => {
        const { runErase } = await import('./erase.ts')
        await runErase(addresses, flags)
      })
  }
  addErase(privacy, false)
  // The earlier name of the command.
  addErase(program, true)
  addSettingFlags(privacy.command('erase-again'), ['data_dir', 'database_url'])
    .description(
      'After a restore by other means than `npx casework restore`: repeat the erasures of the log that the database has lost.',
    )
    .argument('<log>', 'erasures.jsonl of the former server.')
    .action(async (file: string, flags: Flags) => {
      const { runEraseAgain } = await import('./erase-again-command.ts')
      await runEraseAgain(file, flags)
    })
  addServerFlags(privacy.command('export'))
    .description('Write all data about a person as one JSON document.')
    .argument('<address>', 'The e-mail address.')
    .option('--name <text>', 'A name as it was given; what holds it counts as well.')
    .action(async (address: string, flags: Flags) => {
      const { runExport } = await import('./export-command.ts')
      await runExport(address, flags)
    })
  addHoldCommands(privacy, addServerFlags)
}

function addHoldCommands(privacy: Command, addServerFlags: (command: Command) => Command): void {
  addServerFlags(privacy.command('hold'))
    .description('Put a legal hold on a case: it is neither removed nor erased.')
    .argument('<case>', 'Id of the case.')
    .requiredOption('--reason <text>', 'Why; kept in the history of the case.')
    .action(async (caseId: string, flags: Flags) => {
      const { runHold } = await import('./legal-hold-command.ts')
      await runHold(caseId, flags)
    })
  addServerFlags(privacy.command('lift'))
    .description('Lift the legal hold of a case.')
    .argument('<case>', 'Id of the case.')
    .requiredOption('--reason <text>', 'Why; kept in the history of the case.')
    .option(...DRY_RUN)
    .option('-y, --yes', 'Do not ask.')
    .action(async (caseId: string, flags: Flags) => {
      const { runLift } = await import('./legal-hold-command.ts')
      await runLift(caseId, flags)
    })
  addServerFlags(privacy.command('holds'))
    .description('List the legal holds that are in force.')
    .option('--all', 'Also those that were lifted.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runHolds } = await import('./legal-hold-command.ts')
      await runHolds(flags)
    })
}
