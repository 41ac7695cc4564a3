// The commands `notice …` and `suppression …`, and their options.

import type { Command } from 'commander'
import { DRY_RUN, READ_OUTPUT } from './read-output.ts'
import { addSettingFlags } from './settings-flags.ts'

type Flags = Record<string, unknown>

// What the relay needs, and the data folder, where the settings may be.
const RELAY_SETTINGS = [
  'data_dir',
  'relay_url',
  'relay_password',
  'relay_password_file',
  'relay_ca_file',
  'mail_from',
  'mail_domain',
  'dkim_key_file',
  'dkim_selector',
] as const

type AddServerFlags = (command: Command) => Command

export function addNoticeCommands(
  program: Command,
  addServerFlags: AddServerFlags,
  setExitCode: (code: number) => void,
): void {
  const notice = program
    .command('notice')
    .description('Find notices by mail, send them again or drop them, and test the relay.')
  addServerFlags(notice.command('list'))
    .description('List notices, newest first.')
    .option('--state <state>', 'waiting, sent, bounced, failed, suppressed or held')
    .option('--reason <word>', 'such as throttled, on_list or refused_by_relay')
    .option('--party <party>', 'customer, reporter or other')
    .option('--purpose <purpose>', 'such as notice, receipt or digest')
    .option('--case-id <id>', 'about this case')
    .option('--customer-id <id>', 'to this customer')
    .option('--recipient <address>', 'to this address')
    .option('--limit <n>', 'how many, up to 100', '50')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runNoticeList } = await import('./notice-command.ts')
      await runNoticeList(flags)
    })
  addServerFlags(notice.command('show'))
    .description('Show a notice: its text, its state and every attempt to send it.')
    .argument('<id>', 'Its id, as `notice list` shows it.')
    .option(...READ_OUTPUT)
    .action(async (id: string, flags: Flags) => {
      const { runNoticeShow } = await import('./notice-command.ts')
      await runNoticeShow(id, flags)
    })
  addServerFlags(notice.command('resend'))
    .description('Send a notice again, or a held one now.')
    .argument('<id>', 'Its id.')
    .action(async (id: string, flags: Flags) => {
      const { runNoticeResend } = await import('./notice-command.ts')
      await runNoticeResend(id, flags)
    })
  addServerFlags(notice.command('cancel'))
    .description('Drop a notice that was not sent.')
    .argument('<id>', 'Its id.')
    .option(...DRY_RUN)
    .option('-y, --yes', 'Do not ask.')
    .action(async (id: string, flags: Flags) => {
      const { runNoticeCancel } = await import('./notice-command.ts')
      await runNoticeCancel(id, flags)
    })
  addServerFlags(notice.command('preview'))
    .description('Show what a template says about a case. Nothing is stored or sent.')
    .argument('<template>', 'The name of the template.')
    .argument('<case>', 'The id of the case.')
    .option('--language <tag>', 'language of the template', 'en')
    .option('--body <file>', 'a draft instead of its body')
    .option('--text <text>', 'the text that a person adds')
    .option(...READ_OUTPUT)
    .action(async (template: string, caseId: string, flags: Flags) => {
      const { runNoticePreview } = await import('./notice-command.ts')
      await runNoticePreview(template, caseId, flags)
    })
  addSettingFlags(notice.command('test'), RELAY_SETTINGS)
    .description('Send a test mail through the relay from this machine, and report each step.')
    .requiredOption('--to <address>', 'who gets it')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runNoticeTest } = await import('./notice-command.ts')
      setExitCode(await runNoticeTest(flags))
    })
  addSuppressionCommands(program, addServerFlags)
}

function addSuppressionCommands(program: Command, addServerFlags: AddServerFlags): void {
  const suppression = program
    .command('suppression')
    .description('The addresses to which nothing is sent.')
  addServerFlags(suppression.command('list'))
    .description('List the addresses.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runSuppressionList } = await import('./notice-command.ts')
      await runSuppressionList(flags)
    })
  addServerFlags(suppression.command('add'))
    .description('Send nothing to addresses any more.')
    .argument('[address...]', 'One or several.')
    .option('--file <file>', 'a file with an address a line')
    .option('--note <text>', 'why, for people')
    .action(async (addresses: string[], flags: Flags) => {
      const { runSuppressionAdd } = await import('./notice-command.ts')
      await runSuppressionAdd(addresses, flags)
    })
  addServerFlags(suppression.command('remove'))
    .description('Send to an address again.')
    .argument('<address>', 'As `suppression list` shows it.')
    .option(...DRY_RUN)
    .action(async (address: string, flags: Flags) => {
      const { runSuppressionRemove } = await import('./notice-command.ts')
      await runSuppressionRemove(address, flags)
    })
}
