// The manual page casework(1), in the roff of man(7), from the tree of commands.

import { Command, type Option } from 'commander'
import { listExamples } from './command-examples.ts'
import { EXIT } from './exit-codes.ts'
import { addServerFlags } from './server-flags.ts'

export function writeManualPage(program: Command): string {
  return [
    `.TH CASEWORK 1 "" "casework ${program.version() ?? ''}" "User Commands"`,
    '.SH NAME',
    'casework \\- threat intelligence and abuse case operations',
    '.SH SYNOPSIS',
    '.B casework',
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    escapeRoff(program.description()),
    '.SH COMMANDS',
    ...describeAll(program, ''),
    '.SH OPTIONS OF COMMANDS THAT TALK TO A SERVER',
    ...describeOptions(addServerFlags(new Command()).options),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT).flatMap(([name, code]) => [
      '.TP',
      `.B ${code}`,
      name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    ]),
    '.SH ENVIRONMENT',
    ...describeTerms(ENVIRONMENT),
    '.SH FILES',
    ...describeTerms(FILES),
    '.SH EXAMPLES',
    '.nf',
    ...listExamples('').map(escapeRoff),
    '.fi',
    '',
  ].join('\n')
}

type Terms = readonly (readonly [term: string, text: string])[]

const ENVIRONMENT: Terms = [
  ['CASEWORK_URL', 'The server to talk to.'],
  ['CASEWORK_TOKEN', 'The token for it.'],
  ['CASEWORK_TOKEN_FILE', 'A file whose first line is the token.'],
  ['CASEWORK_PROFILE', 'The profile to use.'],
  ['NO_COLOR', 'Set to anything: no colours.'],
]

const FILES: Terms = [
  [
    '$XDG_CONFIG_HOME/casework/profiles.json',
    'The servers that you logged in to. Without the variable it is in ~/.config.',
  ],
  ['casework.toml', 'Settings of the service, in the current folder.'],
]

function describeTerms(terms: Terms): readonly string[] {
  return terms.flatMap(([term, text]) => ['.TP', `.B ${escapeRoff(term)}`, escapeRoff(text)])
}

function describeOptions(options: readonly Option[]): readonly string[] {
  return describeTerms(options.map(({ flags, description }) => [flags, description]))
}

function describeAll(command: Command, path: string): readonly string[] {
  const help = command.createHelp()
  return help
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => {
      const name = `${path} ${child.name()}`.trim()
      if (child.commands.length > 0) return describeAll(child, name)
      const usage = child.registeredArguments.map((one) => help.argumentTerm(one)).join(' ')
      return [
        `.SS ${escapeRoff(`${name} ${usage}`.trim())}`,
        escapeRoff(child.description()),
        ...describeOptions(
          child.options.filter(({ helpGroupHeading }) => helpGroupHeading !== 'Server:'),
        ),
        '.PP',
        '.nf',
        ...listExamples(name).map(escapeRoff),
        '.fi',
      ]
    })
}

/** A line that begins with a dot or an apostrophe would be a request; hyphens stay hyphens. */
function escapeRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')
}
