// The command line: the list of commands, and how each ends. A command's code is loaded only when
// it runs, so that `--version` and `--help` answer at once.

import { Command, CommanderError } from 'commander'
import { OperatingError } from '../kernel/operating-error.ts'
import { hasErrorCode } from '../kernel/system-error.ts'
import { readPackageVersion } from '../values/resources.ts'
import { addAuditCommands } from './audit-commands.ts'
import { CommandFailure, chooseExitCode, EXIT } from './exit-codes.ts'
import { formatHelp } from './format-help.ts'
import { escapeControls } from './format-table.ts'
import { addNoticeCommands } from './notice-commands.ts'
import { addGroups, findGroupAsked } from './operations/all-commands.ts'
import { addPlaybookCommands } from './playbook-commands.ts'
import { addPrivacyCommands } from './privacy-commands.ts'
import { DRY_RUN, READ_OUTPUT } from './read-output.ts'
import { addServerFlags } from './server-flags.ts'
import { addSettingFlags } from './settings-flags.ts'
import { addSourceCommands } from './source-commands.ts'

type Flags = Record<string, unknown>

/** Runs one command line (without node and script) and returns its exit code. Never throws. */
export async function runCli(args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok
  outliveReaders()
  const program = buildProgram((code) => {
    exitCode = code
  }, args)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    process.stderr.write(`casework: ${explain(error)}\n`)
    return chooseExitCode(error)
  }
}

/** A reader that closes the pipe (`| head`) is no error: the remaining output is dropped. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!hasErrorCode(error, 'EPIPE')) throw error
    })
  }
}

/** A sentence of a server must not steer a terminal; it may have several lines. */
function explain(error: unknown): string {
  const sentence = error instanceof OperatingError ? error.publicMessage : readMessage(error)
  return sentence.split('\n').map(escapeControls).join('\n')
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * The tree of commands, before it is given a command line: all of it, or as much as these words
 * can need.
 */
export function buildProgram(
  setExitCode: (code: number) => void,
  words: readonly string[] = [],
): Command {
  const program = new Command('npx casework')
    .description('Threat intelligence and abuse case operations behind one HTTP interface.')
    .version(readPackageVersion())
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ formatHelp })
    // One voice: our own failures begin like this too.
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'casework: ')),
    })
  addSettingFlags(program.command('serve'))
    .description('Start the service (this is what `npm start` does).')
    .action(async (flags: Flags) => {
      const { runServe } = await import('./serve-command.ts')
      setExitCode(await runServe(flags))
    })
  addSettingFlags(program.command('migrate'), ['data_dir', 'database_url', 'log_level'])
    .description('Bring the database schema up to date and stop.')
    .option('--distribute', 'Shard the database by tenant, on the coordinator of a Citus cluster.')
    .action(async (flags: Flags) => {
      const { runMigrate } = await import('./migrate-command.ts')
      await runMigrate(flags)
    })
  addSettingFlags(program.command('config'))
    .description('Show every setting, its value and where it came from; secrets are masked.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runConfig } = await import('./config-command.ts')
      runConfig(flags)
    })
  program
    .command('examples')
    .description('Copy the sample files to a folder, with their dates moved to the present.')
    .argument('<folder>', 'A new folder, or one that this command wrote.')
    .action(async (folder: string) => {
      const { runExamples } = await import('./examples-command.ts')
      runExamples(folder, Date.now())
    })
  addIntelCommands(program, setExitCode)
  addReportCommands(program, setExitCode)
  addTokenCommands(program)
  addUserCommands(program)
  addSourceCommands(program, addServerFlags)
  addDataCommands(program, setExitCode)
  addNoticeCommands(program, addServerFlags, setExitCode)
  addPrivacyCommands(program, addServerFlags)
  addSecretCommands(program)
  addAuditCommands(program, setExitCode)
  addDemoCommands(program)
  addPlaybookCommands(program, addServerFlags)
  addGroups(program, setExitCode, findGroupAsked(program, words))
  addServerCommands(program, setExitCode)
  addMcpCommand(program)
  addShellCommands(program)
  return program
}

function addIntelCommands(program: Command, setExitCode: (code: number) => void): void {
  addServerFlags(program.command('lookup'))
    .description('Show all data about addresses and domains.')
    .argument('<item...>', 'IP address or domain.')
    .option(...READ_OUTPUT)
    .action(async (items: string[], flags: Flags) => {
      const { runLookup } = await import('./lookup.ts')
      setExitCode(await runLookup(items, flags))
    })
  addServerFlags(program.command('check'))
    .description('Check every line of a file, in order, a thousand at a time.')
    .argument('[file]', 'Addresses and domains, one a line; - for standard input.', '-')
    .option(...READ_OUTPUT)
    .action(async (file: string, flags: Flags) => {
      const { runCheck } = await import('./check.ts')
      setExitCode(await runCheck(file, flags))
    })
  addWatchCommand(program)
  addLogCommands(program, setExitCode)
  addServerFlags(program.command('explain'))
    .description('Show which entries, sources and rules are behind the answer about an item.')
    .argument('<item>', 'IP address or domain.')
    .option(...READ_OUTPUT)
    .action(async (item: string, flags: Flags) => {
      const { runExplain } = await import('./explain-command.ts')
      await runExplain(item, flags)
    })
  addServerFlags(program.command('search'))
    .description('Find customers, cases, reports and events.')
    .argument(
      '<text...>',
      'Address, range, domain, URL, e-mail address, id or words; defanged, too.',
    )
    .option('--kind <kind>', 'Only customer, case, report or event.')
    .option('--limit <number>', 'The most that is shown (default: 20).')
    .option(...READ_OUTPUT)
    .action(async (words: string[], flags: Flags) => {
      const { runSearch } = await import('./search-command.ts')
      await runSearch(words, flags)
    })
}

function addWatchCommand(program: Command): void {
  addServerFlags(program.command('watch'))
    .description('Show what happens to cases, events, reports and runs, until Ctrl-C.')
    .option('--kinds <list>', 'Only these, with commas: case, event, report, run.')
    .option('--what <list>', 'Only these changes, with commas, such as open,move.')
    .option('--case <id>', 'Only this case, its events and its runs.')
    .option('--after <serial>', 'Begin behind this change, as #42 names it.')
    .option('--count <number>', 'End after so many changes.')
    .option('--seconds <number>', 'End after so many seconds.')
    .option('-o, --output <format>', 'human or jsonl', 'human')
    .action(async (flags: Flags) => {
      const { runWatch } = await import('./watch-command.ts')
      await runWatch(flags)
    })
}

function addLogCommands(program: Command, setExitCode: (code: number) => void): void {
  addServerFlags(program.command('analyze'))
    .description(
      'Show which addresses and domains a log names, how often, and what is known of them.',
    )
    .argument('[file]', 'Any text; - for standard input.', '-')
    .option(
      '--top <number>',
      'How many items are shown; csv and jsonl have all that are kept, 50,000 (default: 20).',
    )
    .option(...READ_OUTPUT)
    .action(async (file: string, flags: Flags) => {
      const { runAnalyze } = await import('./logs/analyze.ts')
      setExitCode(await runAnalyze(file, flags))
    })
  addServerFlags(program.command('filter'))
    .description('Pass the lines of a log on that name an address or a domain of a kind.')
    .argument('[file]', 'Any text; - for standard input.', '-')
    .option('--malicious', 'Known to attack or to cheat.')
    .option('--suspicious', 'Conspicuous.')
    .option('--benign', 'Known to be harmless.')
    .option('--unknown', 'Of no known intent.')
    .option('--listed', 'On a mail blocklist.')
    .option('--active', 'Seen by a sensor lately.')
    .option('--invert', 'The other lines instead, also those that name nothing.')
    .action(async (file: string, flags: Flags) => {
      const { runFilter } = await import('./logs/filter.ts')
      setExitCode(await runFilter(file, flags))
    })
}

function addReportCommands(program: Command, setExitCode: (code: number) => void): void {
  const report = program.command('report').description('Look into abuse reports.')
  addServerFlags(report.command('explain'))
    .description(
      'Show how a report would be read: where each value was found, why it won, which values were not chosen. Stores nothing.',
    )
    .argument(
      '[file]',
      'A mail, XARF, or an attachment alone; an mbox or maildir, mail by mail; - for standard input.',
      '-',
    )
    .option('--reporter <address>', 'The reporter, where the report itself names none.')
    .option(...READ_OUTPUT)
    .action(async (file: string, flags: Flags) => {
      const { runReportExplain } = await import('./report-command.ts')
      setExitCode(await runReportExplain(file, flags))
    })
  addCorrectCommands(report)
}

function addCorrectCommands(report: Command): void {
  addServerFlags(report.command('correct'))
    .description('Correct what was read out of a report: change, withdraw or add an event.')
    .argument('<report>', 'Id of the report.')
    .option('--event <id>', 'The event; may be left out where the report has one.')
    .option('--type <type>', 'The right event type, such as Phishing.')
    .option('--ip <address>', 'What the event is about: an address …')
    .option('--domain <name>', '… a domain …')
    .option('--link <address>', '… or a link. What is not named is no part of it.')
    .option('--target <item>', 'What was attacked: an address, a domain or a link.')
    .option('--no-target', 'Nothing was attacked.')
    .option('--withdraw', 'The event is withdrawn; without --event all of the report are.')
    .option('--add', 'Add an event that was missed, with --type and what it is about.')
    .option('--sender <address>', 'With --add: the reporter, where the report names none.')
    .option('--file <file>', 'The whole correction as JSON instead; - for standard input.')
    .option('--reason <text>', 'Why; kept with the correction.')
    .option('-y, --yes', 'With --withdraw: do not ask.')
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (reportId: string, flags: Flags) => {
      const { runReportCorrect } = await import('./correct-command.ts')
      await runReportCorrect(reportId, flags)
    })
  addServerFlags(report.command('take-as-answer'))
    .description('Take a quarantined mail over as a comment of its case.')
    .argument('<report>', 'Id of the report.')
    .option('--case <id>', 'The case, where the mail names none or another one.')
    .option('--party <party>', 'Who answered: customer, reporter or other.')
    .option('--take-path', 'The run that waits for an answer of this party goes on.')
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (reportId: string, flags: Flags) => {
      const { runTakeAsAnswer } = await import('./answer-command.ts')
      await runTakeAsAnswer(reportId, flags)
    })
  addServerFlags(report.command('regression-case'))
    .description('Write a report, with what it reports, as a test case of the reader.')
    .argument('<report>', 'Id of the report.')
    .option('--anonymise', 'Replace names, mail addresses, domains and IP addresses.')
    .action(async (reportId: string, flags: Flags) => {
      const { runRegressionCase } = await import('./correct-command.ts')
      await runRegressionCase(reportId, flags)
    })
}

function addTokenCommands(program: Command): void {
  const token = program.command('token').description('Create, list, rotate and revoke API tokens.')
  addServerFlags(token.command('create'))
    .description('Create a token and show it once.')
    .option('--name <text>', 'The purpose or the user of the token.', 'unnamed')
    .option(
      '--role <role>',
      'Comma-separated roles: viewer, agent, lead, playbook-author, tenant-admin, auditor, ingest, feeder, automation, instance-admin, or your own.',
    )
    .option('--scopes <list>', 'Comma-separated scopes, instead of or beside --role.')
    .option('--tenant <id>', 'Tenant it belongs to (default: that of the caller).')
    .option(
      '--contact-email <address>',
      'Who stands behind events that it pushes without a sender.',
    )
    .option('--expires-in <days>', 'Days it is valid; "never" for no end (default: 90).')
    .option('--networks <list>', 'Comma-separated addresses and CIDR blocks that it may come from.')
    .option('--service-account <id>', 'The service account that owns it.')
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (flags: Flags) => {
      const { runTokenCreate } = await import('./token.ts')
      await runTokenCreate(flags)
    })
  addServerFlags(token.command('list'))
    .description(
      'List tokens, newest first; secrets are stored as hashes only and cannot be shown.',
    )
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runTokenList } = await import('./token.ts')
      await runTokenList(flags)
    })
  addServerFlags(token.command('rotate'))
    .description('Give a token a new secret, shown once; the former one is good for a while.')
    .argument('<id>', 'Id of the token, as `token list` shows it.')
    .option('--overlap <hours>', 'Hours that the former secret is good; 0 to 168 (default: 24).')
    .option(
      '--expires-in <days>',
      'Days the token is valid; "never" for no end (default: as before).',
    )
    .option(...DRY_RUN)
    .option('-y, --yes', 'Do not ask.')
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (id: string, flags: Flags) => {
      const { runTokenRotate } = await import('./token.ts')
      await runTokenRotate(id, flags)
    })
  addServerFlags(token.command('revoke'))
    .description('Revoke a token by its id; it is refused everywhere within a second.')
    .argument('<id>', 'Id of the token, as `token list` shows it.')
    .option('--force', 'Revoke the last token that administers the instance too.')
    .option(...DRY_RUN)
    .option('-y, --yes', 'Do not ask.')
    .action(async (id: string, flags: Flags) => {
      const { runTokenRevoke } = await import('./token.ts')
      await runTokenRevoke(id, flags)
    })
}

function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('The people who work for a tenant: invite, roles, disable, sessions.')
  addServerFlags(user.command('setup-link'))
    .description('Make the link for the first person, while nobody can sign in.')
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (flags: Flags) => {
      const { runSetupLink } = await import('./user-command.ts')
      await runSetupLink(flags)
    })
  addServerFlags(user.command('reset'))
    .description('Make a link by which a user chooses a new password.')
    .argument('<user>', 'Id or e-mail address of the user.')
    .option(
      '--remove-factors',
      'remove the second factors too, of a user who has lost them; ends their sessions',
    )
    .option('-o, --output <format>', 'human or json', 'human')
    .action(async (who: string, flags: Flags) => {
      const { runUserReset } = await import('./user-command.ts')
      await runUserReset(who, flags)
    })
}

function addDemoCommands(program: Command): void {
  const demo = program
    .command('demo')
    .description('Fill two tenants with made-up data to look around, and remove them again.')
  addSettingFlags(demo.command('fill'), DEMO_SETTINGS)
    .description('Fill the demo: 90 days of a hoster and a registrar. Nothing of it is sent out.')
    .action(async (flags: Flags) => {
      const { runDemoFill } = await import('./demo-command.ts')
      await runDemoFill(flags)
    })
  addSettingFlags(demo.command('remove'), DEMO_SETTINGS)
    .description('Remove exactly what `demo fill` made; everything else stays.')
    .option('-y, --yes', 'Do not ask.')
    .action(async (flags: Flags) => {
      const { runDemoRemove } = await import('./demo-command.ts')
      await runDemoRemove(flags)
    })
}

// The key is needed because notices and secrets of the demo are sealed like others.
const DEMO_SETTINGS = ['data_dir', 'database_url', 'secret_key'] as const

function addSecretCommands(program: Command): void {
  const secret = program
    .command('secret')
    .description(
      'Set the secrets that playbooks send to others; change the key that encrypts them.',
    )
  addServerFlags(secret.command('list'))
    .description('List the names of secrets; values are never shown.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runSecretList } = await import('./secret-command.ts')
      await runSecretList(flags)
    })
  addServerFlags(secret.command('set'))
    .description('Set a secret; its value is read from standard input.')
    .argument('<name>', 'How playbooks refer to it.')
    .action(async (name: string, flags: Flags) => {
      const { runSecretSet } = await import('./secret-command.ts')
      await runSecretSet(name, flags)
    })
  addServerFlags(secret.command('delete'))
    .description('Delete a secret.')
    .argument('<name>', 'Its name, as `secret list` shows it.')
    .option(...DRY_RUN)
    .option('-y, --yes', 'Do not ask.')
    .action(async (name: string, flags: Flags) => {
      const { runSecretDelete } = await import('./secret-command.ts')
      await runSecretDelete(name, flags)
    })
  addSettingFlags(secret.command('rotate-key'), ['data_dir', 'database_url'])
    .description(
      'Encrypt all stored secrets with another key: a new one in the data folder (the server must not be running), or the first of CASEWORK_SECRET_KEY.',
    )
    .option('-y, --yes', 'Do not ask.')
    .action(async (flags: Flags) => {
      const { runSecretKeyChange } = await import('./secret-command.ts')
      await runSecretKeyChange(flags)
    })
}

function addDataCommands(program: Command, setExitCode: (code: number) => void): void {
  addServerFlags(program.command('import'))
    .description(
      'Import a file of threat data, archived report mail, or customers with their contracts and resources, through the running server.',
    )
    .argument(
      '<format>',
      'plain, hosts or cidr (addresses, ranges, domains, hosts files; one a line), rbldnsd (data files of that server), allow (a plain list as allow-list), network (a plain list of your own address ranges), contacts (CSV of range or domain, email, source), cowrie (JSON log of the honeypot), mail (a mail, an mbox, or a maildir), or customers, contracts or resources (CSV whose first line names the columns).',
    )
    .argument('<file>', 'The file, or - for standard input.')
    .option('--list <name>', 'Name of the blocklist (or allow-list) that the entries are put on.')
    .option('--tag <name>', 'Tag the entries of a list instead of listing them.')
    .option('--source <name>', 'Name of the source (default: the list, or the sensor in the log).')
    .option(
      '--dataset <kind>',
      'Kind of an rbldnsd data file: ip4set, ip4tset, ip4trie, ip6trie, ip6tset, dnset, generic or combined (default: as its lines show; generic must be said).',
    )
    .option(
      '--exclusions <what>',
      'Exclusions in an rbldnsd data file: skip, or allow (puts them on the allow-list).',
      'skip',
    )
    .option('--replace', 'The file is the whole list: what it no longer names is removed.')
    .option('--allow-shrink', 'With --replace: also when it lost more than half of its entries.')
    .option('-o, --output <format>', 'human or json', 'human')
    .option('--dry-run', 'With mail: tell what would become of it, and store nothing.')
    .action(async (format: string, file: string, flags: Flags) => {
      if (format !== 'mail' && flags['dryRun'] === true) {
        throw new CommandFailure(
          `--dry-run is for mail: entries of the format ${format} would be stored.`,
          EXIT.usage,
        )
      }
      if (format === 'mail') {
        const { runImportMail } = await import('./import-mail.ts')
        setExitCode(await runImportMail(file, flags))
        return
      }
      if (format === 'customers' || format === 'contracts' || format === 'resources') {
        const { runImportOwners } = await import('./import-owners-command.ts')
        setExitCode(await runImportOwners(format, file, flags))
        return
      }
      const { runImport } = await import('./import.ts')
      setExitCode(await runImport(format, file, flags))
    })
  addServerFlags(program.command('doctor'))
    .description('Check the requirements of the service, and explain each fault and its remedy.')
    .option(...READ_OUTPUT)
    .option(
      '--recount',
      'Compare what cases say of themselves with their events, correlation keys and history.',
    )
    .option('--repair', 'With --recount: repair the differences, with a row in the history.')
    .option('-y, --yes', 'With --repair: do not ask.')
    .action(async (flags: Flags) => {
      if (flags['recount'] === true) {
        const { runRecount } = await import('./recount-command.ts')
        setExitCode(await runRecount(flags))
        return
      }
      if (flags['repair'] === true) {
        throw new CommandFailure(
          'A repair needs --recount: npx casework doctor --recount --repair.',
          EXIT.usage,
        )
      }
      const { runDoctor } = await import('./doctor.ts')
      setExitCode(await runDoctor(flags))
    })
  addSettingFlags(program.command('backup'), ['data_dir', 'database_url'])
    .description('Write everything in the database to one file, while the server runs or not.')
    .argument('<file>', 'Where to write; it must not exist yet.')
    .action(async (file: string, flags: Flags) => {
      const { runBackup } = await import('./backup.ts')
      await runBackup(file, flags)
    })
  addSettingFlags(program.command('restore'), ['data_dir', 'database_url', 'erasure_log'])
    .description(
      'Fill an empty database from a backup, and repeat later erasures; the server must not be running.',
    )
    .argument('<file>', 'A file written by `npx casework backup`.')
    .option('-y, --yes', 'Do not ask.')
    .action(async (file: string, flags: Flags) => {
      const { runRestore } = await import('./backup.ts')
      await runRestore(file, flags)
    })
}

function collectValue(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

function addMcpCommand(program: Command): void {
  addServerFlags(program.command('mcp'))
    .description(
      'Offer look-ups, cases and events to an assistant, by the Model Context Protocol. Standard input and output, or --http.',
    )
    .option('--allow-writes', 'Also tools that comment, assign, move and trigger playbooks.')
    .option(
      '--http [address]',
      'Serve by HTTP to several callers, each with a token of its own (default: 127.0.0.1:8090).',
    )
    .option('--allow-host <name>', 'With --http: a name that it may be called by.', collectValue)
    .option(
      '--allow-origin <origin>',
      'With --http: pages of this origin may call it.',
      collectValue,
    )
    .action(async (flags: Flags) => {
      const { runMcp } = await import('./mcp-command.ts')
      await runMcp(flags)
    })
}

function addServerCommands(program: Command, setExitCode: (code: number) => void): void {
  addServerFlags(program.command('api'))
    .description('Call any operation of the interface, by its id or by method and path.')
    .argument('[operation...]', 'Its id and what its path needs, or such as GET /beta/whoami.')
    .option(
      '-f, --field <name=value>',
      'A member of the query or of the body; may be given several times.',
      collectValue,
    )
    .option('--body <file>', 'The whole body from a file instead; - for standard input.')
    .option(
      '--content-type <type>',
      'Of --body, with a method and path (default: application/json).',
    )
    .option('--limit <number>', 'Of a list: the most that is shown (default: 50).')
    .option('--all', 'Of a list: all pages.')
    .option('--dry-run', 'Show the request that would change something, and send nothing.')
    .option('--list', 'List all operations, and the commands for them.')
    .option('-o, --output <format>', 'human, json, jsonl, csv or raw', 'json')
    .action(async (words: string[], flags: Flags) => {
      const { runApi } = await import('./operations/run-api.ts')
      setExitCode(await runApi(words, flags))
    })
  program
    .command('login')
    .description(
      'Log in to a server, by password, in a browser or with a token, and use it from now on.',
    )
    .argument('<url>', 'Address of the server.')
    .option('--name <name>', 'Name of the profile (default: the host).')
    .option('--by <way>', 'password, browser or token (default: asks).')
    .option('--email <address>', 'Your e-mail address, for a login by password.')
    .option(
      '--password-file <file>',
      'The password is the first line of this file; - for standard input.',
    )
    .option(
      '--token-file <file>',
      'The token is the first line of this file; - for standard input.',
    )
    .action(async (url: string, flags: Flags) => {
      const { runLogin } = await import('./profiles/run-profiles.ts')
      await runLogin(url, flags)
    })
  program
    .command('logout')
    .description('Revoke the token of a login, and forget its profile.')
    .argument('[profile]', 'Its name; the one in use when left out.')
    .option('--force', 'Forget it though the server does not answer.')
    .action(async (name: string | undefined, flags: Flags) => {
      const { runLogout } = await import('./profiles/run-profiles.ts')
      await runLogout(name, flags)
    })
  const profile = program.command('profile').description('The servers that you logged in to.')
  profile
    .command('list')
    .description('List profiles; tokens are not shown.')
    .option(...READ_OUTPUT)
    .action(async (flags: Flags) => {
      const { runProfileList } = await import('./profiles/run-profiles.ts')
      runProfileList(flags)
    })
  profile
    .command('use')
    .description('Use a profile from now on.')
    .argument('<profile>', 'Its name.')
    .action(async (name: string) => {
      const { runProfileUse } = await import('./profiles/run-profiles.ts')
      await runProfileUse(name)
    })
}

function addShellCommands(program: Command): void {
  program
    .command('completion')
    .description('Write the completion script of a shell.')
    .argument('<shell>', 'bash, zsh or fish.')
    .action(async (shell: string) => {
      const { writeCompletion } = await import('./completion.ts')
      process.stdout.write(writeCompletion(shell))
    })
  program
    .command('complete', { hidden: true })
    .description('What the last word may become, one a line; the completion scripts ask it.')
    .argument('[words...]')
    .option('--described', 'What each is, behind a tab.')
    .action(async (words: string[], flags: Flags) => {
      const { complete, findNamesAsked, findServerFlags, formatCandidates } = await import(
        './completion.ts'
      )
      const names = findNamesAsked(program, words)
      const found = names === null ? complete(program, words) : []
      const asked = []
      if (names !== null) {
        const { completeNames } = await import('./complete-names.ts')
        asked.push(
          ...(await completeNames(names, words.at(-1) ?? '', findServerFlags(words), process.env)),
        )
      }
      process.stdout.write(formatCandidates([...found, ...asked], flags['described'] === true))
    })
  program
    .command('man')
    .description('Write the manual page, for `man -l -`.')
    .action(async () => {
      const { writeManualPage } = await import('./manual-page.ts')
      process.stdout.write(writeManualPage(program))
    })
}
