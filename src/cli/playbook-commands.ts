// The commands about playbooks, `casework playbook …`; their code is in playbook-command.ts.

import type { Command } from 'commander'

type Flags = Record<string, unknown>

const PLAYBOOK = 'Its name or its id.'

export function addPlaybookCommands(
  program: Command,
  addServerFlags: (command: Command) => Command,
): void {
  const playbook = program
    .command('playbook')
    .description('List, import, export and activate playbooks.')
  addServerFlags(playbook.command('list'))
    .description('List playbooks with their versions in use.')
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (flags: Flags) => {
      const { runPlaybookList } = await import('./playbook-command.ts')
      await runPlaybookList(flags)
    })
  addServerFlags(playbook.command('show'))
    .description('Show a playbook with the states of its versions, the newest first.')
    .argument('<playbook>', PLAYBOOK)
    .option('-o, --output <format>', 'human or json', 'human')
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
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (flags: Flags) => {
      const { runPlaybookTemplates } = await import('./playbook-command.ts')
      await runPlaybookTemplates(flags)
    })
}
