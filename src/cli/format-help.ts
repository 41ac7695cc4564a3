// The help of a command: what it does, how it is called, examples, and only then every flag.

import type { Command, Help } from 'commander'
import { listExamples } from './command-examples.ts'
import { groupCommands } from './command-groups.ts'

/** As commander formats it, with the examples above the arguments and flags. */
export function formatHelp(command: Command, helper: Help): string {
  const width = helper.padWidth(command, helper)
  const line = (term: string, text: string): string => helper.formatItem(term, width, text, helper)
  const sections = [
    `${helper.commandDescription(command)}\n`,
    `Usage: ${helper.commandUsage(command)}\n`,
    section(
      'Examples:',
      listExamples(namePath(command)).map((example) => `  ${example}`),
    ),
    section(
      'Arguments:',
      helper
        .visibleArguments(command)
        .map((one) => line(helper.argumentTerm(one), helper.argumentDescription(one))),
    ),
    ...formatGroups(command, helper, line),
  ]
  return sections.filter((text) => text !== '').join('\n')
}

function formatGroups(
  command: Command,
  helper: Help,
  line: (term: string, text: string) => string,
): readonly string[] {
  const options = helper.groupItems(
    [...command.options],
    helper.visibleOptions(command),
    (option) => option.helpGroupHeading ?? 'Options:',
  )
  const commands = groupCommands(command, helper.visibleCommands(command))
  return [
    ...[...commands].map(([heading, items]) =>
      section(
        heading,
        items.map((one) => line(helper.subcommandTerm(one), helper.subcommandDescription(one))),
      ),
    ),
    // What a command does comes before how the server is found.
    ...[...options]
      .toSorted(([one], [other]) => rank(one) - rank(other))
      .map(([heading, items]) =>
        section(
          heading,
          items.map((one) => line(helper.optionTerm(one), helper.optionDescription(one))),
        ),
      ),
  ]
}

function rank(heading: string): number {
  return heading === 'Server:' ? 1 : 0
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${heading}\n${lines.join('\n')}\n`
}

/** The words after the name of the program. */
function namePath(command: Command): string {
  const names: string[] = []
  for (let one: Command | null = command; one !== null && one.parent !== null; one = one.parent) {
    names.unshift(one.name())
  }
  return names.join(' ')
}
