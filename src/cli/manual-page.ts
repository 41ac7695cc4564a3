// The manual page casework(1), in the roff of man(7), from the tree of commands.

import type { Command } from 'commander'
import { listExamples } from './command-examples.ts'
import { EXIT } from './exit-codes.ts'

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
    '.SH EXIT STATUS',
    ...Object.entries(EXIT).flatMap(([name, code]) => [
      '.TP',
      `.B ${code}`,
      name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    ]),
    '',
  ].join('\n')
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
        ...child.options
          .filter(({ helpGroupHeading }) => helpGroupHeading !== 'Server:')
          .flatMap(({ flags, description }) => [
            '.TP',
            `.B ${escapeRoff(flags)}`,
            escapeRoff(description),
          ]),
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
