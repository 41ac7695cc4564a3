// The commands about sources of intel, `casework source …`; their code is in source-command.ts.

import type { Command } from 'commander'
import { DRY_RUN, READ_OUTPUT } from './read-output.ts'

type Flags = Record<string, unknown>

const SOURCE = 'Kind and name with a slash between, such as mail-blocklist/spamhaus-drop.'

export function addSourceCommands(
  program: Command,
  addServerFlags: (command: Command) => Command,
): void {
  const source = program
    .command('source')
    .description('List, add, fetch and remove the sources of intel.')
  addServerFlags(source.command('list'))
    .description('List sources with their state and how many entries each has.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runSourceList } = await import('./source-command.ts')
      await runSourceList(flags)
    })
  source
    .command('presets')
    .description('List well-known free lists that can be added by name. None is added by default.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runSourcePresets } = await import('./source-command.ts')
      runSourcePresets(flags)
    })
  addServerFlags(source.command('add'))
    .description('Add a preset, or a list of your own by its URL; or change one.')
    .argument('<source>', `A preset, or ${SOURCE.charAt(0).toLowerCase()}${SOURCE.slice(1)}`)
    .option('--enable', 'Fetch it by schedule; without it only when `source fetch` asks for it.')
    .option('--list-url <url>', 'Where the list is published.')
    .option('--format <format>', 'plain, rbldnsd or ndjson (default: plain).')
    .option('--name <text>', 'The list or tag of its entries (default: the name of the source).')
    .option('--every <seconds>', 'How often it is fetched (default: 86400).')
    .option('--ttl <seconds>', 'The time without an update after which the source counts as stale.')
    .option('--licence <text>', 'Its terms of use.')
    .option('--origin <text>', 'Who publishes it.')
    .action(async (name: string, flags: Flags) => {
      const { runSourceAdd } = await import('./source-command.ts')
      await runSourceAdd(name, flags)
    })
  addServerFlags(source.command('fetch'))
    .description('Fetch a list now.')
    .argument('<source>', SOURCE)
    .option('--allow-shrink', 'Take it also when it has less than half of the entries of before.')
    .action(async (name: string, flags: Flags) => {
      const { runSourceFetch } = await import('./source-command.ts')
      await runSourceFetch(name, flags)
    })
  addServerFlags(source.command('entries'))
    .description('Write the entries of a source to standard output, an item a line.')
    .argument('<source>', SOURCE)
    .option(...READ_OUTPUT)
    .action(async (name: string, flags: Flags) => {
      const { runSourceEntries } = await import('./source-entries-command.ts')
      await runSourceEntries(name, flags)
    })
  addServerFlags(source.command('delist'))
    .description('Take one address, range or domain off a source.')
    .argument('<source>', SOURCE)
    .argument('<entry>', 'The entry exactly: an address, range or domain; defanged or a link, too.')
    .option(...DRY_RUN)
    .option('-y, --yes', 'Do not ask.')
    .action(async (name: string, entry: string, flags: Flags) => {
      const { runSourceDelist } = await import('./source-entries-command.ts')
      await runSourceDelist(name, entry, flags)
    })
  addServerFlags(source.command('remove'))
    .description('Remove a source with all of its entries.')
    .argument('<source>', SOURCE)
    .option(...DRY_RUN)
    .option('-y, --yes', 'Do not ask.')
    .action(async (name: string, flags: Flags) => {
      const { runSourceRemove } = await import('./source-command.ts')
      await runSourceRemove(name, flags)
    })
}
