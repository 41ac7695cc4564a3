// The flags that name the server of a command, and the token for it.

import type { Command } from 'commander'
import { addSettingFlags } from './settings-flags.ts'

/** Adds them. What they mean stands in profiles/choose-server.ts. */
export function addServerFlags(command: Command): Command {
  return addSettingFlags(command.optionsGroup('Server:'), ['data_dir', 'database_url'])
    .option(
      '--url <address>',
      'Server to talk to (default: CASEWORK_URL, the profile in use, or the one running on the data folder). Its token comes from CASEWORK_TOKEN.',
    )
    .option('--profile <name>', 'Server and token of this profile (`npx casework login`).')
    .option(
      '--token-file <file>',
      'The token is the first line of this file; - for standard input.',
    )
    .optionsGroup('Options:')
}
