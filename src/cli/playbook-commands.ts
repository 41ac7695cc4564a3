// The commands about playbooks, `casework playbook …`; their code is in playbook-command.ts.

import type { Command } from 'commander'
import { READ_OUTPUT } from './read-output.ts'

type Flags = Record<string, unknown>

const PLAYBOOK = 'Its name or its id.'

export function addPlaybookCommands(
  program: Command,
  addServerFlags: (command: Command) => Command,
): void {
  const playbook = program
    .command('playbook')
    .description('List, check, simulate, import, export and activate playbooks.')
  addServerFlags(playbook.command('list'))
    .description('List playbooks with their versions in use.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runPlaybookList } = await import('./playbook-command.ts')
      await runPlaybookList(flags)
    })
  addServerFlags(playbook.command('show'))
    .description('Show a playbook with the states of its versions, the newest first.')
    .argument('<playbook>', PLAYBOOK)
    .option(...READ_OUTPUT)
    .action(async (text: string, flags: Flags) => {
      const { runPlaybookShow } = await import('./playbook-command.ts')
      await runPlaybookShow(text, flags)
    })
  addServerFlags(playbook.command('export'))
    .description('Write a version as a document to standard output.')
    .argument('<playbook>', PLAYBOOK)
    .option('--version-number <number>', 'The version (default: the newest).')
    .option('-o, --output <format>', 'yaml or json', 'yaml')
    .action(async (text: string, flags: Flags) => {
      const { runPlaybookExport } = await import('./playbook-command.ts')
      await runPlaybookExport(text, flags)
    })
  addServerFlags(playbook.command('import'))
    .description(
      'Make a playbook of a document, or the next draft version of the playbook of its name.',
    )
    .argument('[file]', 'YAML, or JSON where its name ends so; - for standard input.', '-')
    .option('--template <name>', 'A playbook that ships with the program, instead of a file.')
    .option('--name <text>', 'With --template: another name for the playbook.')
    .option('--dry-run', 'Tell what would happen and what is wrong, and store nothing.')
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (file: string, flags: Flags) => {
      const { runPlaybookImport } = await import('./playbook-command.ts')
      await runPlaybookImport(file, flags)
    })
  addServerFlags(playbook.command('validate'))
    .description('Check a document, and store nothing; every problem is named by its line.')
    .argument('[file]', 'YAML, or JSON where its name ends so; - for standard input.', '-')
    .option(...READ_OUTPUT)
    .action(async (file: string, flags: Flags) => {
      const { runPlaybookValidate } = await import('./simulate-command.ts')
      await runPlaybookValidate(file, flags)
    })
  addServerFlags(playbook.command('simulate'))
    .description('Try a playbook on past cases, and store nothing.')
    .argument('<playbook>', 'Its name or its id, or a document: a file .yaml or .json, or -.')
    .argument('[version]', 'The version (default: the newest).')
    .option('--case <id>', 'A case; may be repeated.', collect, [])
    .option('--group <id>', 'The newest cases of this case group.')
    .option('--last <number>', 'So many of the newest cases (default: 10).')
    .option(
      '--assume <node=path>',
      'The path that a node is left by; node=path,path for one visit after the other. May be repeated.',
      collect,
      [],
    )
    .option('--as-is', 'Work the cases as they are now, not as they were when they were opened.')
    .option(...READ_OUTPUT)
    .action(async (subject: string, version: string | undefined, flags: Flags) => {
      const { runPlaybookSimulate } = await import('./simulate-command.ts')
      await runPlaybookSimulate(subject, version, flags)
    })
  addServerFlags(playbook.command('activate'))
    .description('Make a draft the version on which new cases start.')
    .argument('<playbook>', PLAYBOOK)
    .option('--version-number <number>', 'The version (default: the newest).')
    .action(async (text: string, flags: Flags) => {
      const { runPlaybookActivate } = await import('./playbook-command.ts')
      await runPlaybookActivate(text, flags)
    })
  addServerFlags(playbook.command('templates'))
    .description('List the playbooks that ship with the program; none of them runs by itself.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runPlaybookTemplates } = await import('./playbook-command.ts')
      await runPlaybookTemplates(flags)
    })
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
