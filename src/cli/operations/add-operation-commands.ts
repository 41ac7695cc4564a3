// Makes commands of the tables: arguments from the path, a flag for each member of the query and of
// the body, in the words of the interface.

import { type Command, Option } from 'commander'
import { addServerFlags } from '../server-flags.ts'
import type { CommandSpec } from './command.ts'
import { type CliMember, type CliOperation, findOperation, nameFlag } from './operation.ts'

type SetExitCode = (code: number) => void

/** The words of a group, where it is not made elsewhere. */
export type Groups = Readonly<Record<string, string>>

/** Adds each to its group; a command that is there already stays. */
export function addOperationCommands(
  program: Command,
  specs: readonly CommandSpec[],
  groups: Groups,
  setExitCode: SetExitCode,
): void {
  for (const spec of specs) {
    const words = spec.name.split(' ')
    const [groupName = '', verb = groupName] = words
    const parent = words.length === 1 ? program : findGroup(program, groupName, groups)
    addCommand(parent, verb, spec, setExitCode)
  }
}

function findGroup(program: Command, name: string, groups: Groups): Command {
  const found = program.commands.find((command) => command.name() === name)
  if (found !== undefined) return found
  return program.command(name).description(groups[name] ?? '')
}

function addCommand(
  parent: Command,
  verb: string,
  spec: CommandSpec,
  setExitCode: SetExitCode,
): void {
  const operation = findOperation(spec.operation)
  const command = addServerFlags(parent.command(verb)).description(spec.about)
  for (const [at, { name, word }] of operation.params.entries()) {
    const isLast = at === operation.params.length - 1
    const shown = spec.arguments?.[at] ?? nameFlag(name)
    const more = spec.isMany === true && isLast
    command.argument(
      `<${shown}${more ? '...' : ''}>`,
      more ? `${word} - for standard input.` : word,
    )
  }
  const ofText = [...operation.query, ...operation.body].find(({ name }) => name === spec.text)
  if (ofText !== undefined) {
    command.argument(
      `<${spec.textName ?? nameFlag(ofText.name)}>`,
      `${ofText.word} - for standard input.`,
    )
  }
  if (spec.takesFile === true) command.argument('[file]', 'The same as --body.')
  addMembers(command, spec, operation)
  if (spec.views !== undefined) {
    command.option('--view <name>', 'The filters and the order of a saved view, by its name.')
  }
  if (operation.method === 'GET') addReadFlags(command, operation)
  else addWriteFlags(command, spec, operation)
  command.addOption(
    new Option('-o, --output <format>', 'human, json, jsonl, csv or raw').default('human'),
  )
  command.action(async (...given: unknown[]) => {
    const { runOperation } = await import('./run-operation.ts')
    const count = operation.params.length + (ofText === undefined ? 0 : 1)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- commander gives texts and lists
    const args = given.slice(0, count) as (string | string[])[]
    const file = spec.takesFile === true ? given[count] : undefined
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- and then the flags
    const flags = given[spec.takesFile === true ? count + 1 : count] as Record<string, unknown>
    const body = file === undefined ? {} : { body: file }
    setExitCode(await runOperation({ spec, args, flags: { ...flags, ...body } }))
  })
}

// What pages, previews and formats are asked by, which have flags of their own.
const OWN = new Set(['cursor', 'limit', 'snapshot', 'offset'])

function addMembers(command: Command, spec: CommandSpec, operation: CliOperation): void {
  const hidden = new Set([...(spec.without ?? []), ...Object.keys(spec.fixed ?? {}), spec.text])
  if (spec.dryRun !== undefined) hidden.add(spec.dryRun)
  const isPaged = operation.query.some(({ name }) => name === 'cursor' || name === 'offset')
  const taken = new Set(command.options.map(({ long }) => long))
  for (const member of [...operation.query, ...operation.body]) {
    if (hidden.has(member.name) || (isPaged && OWN.has(member.name))) continue
    const flag = spec.flags?.[member.name] ?? nameFlag(member.name)
    if (taken.has(`--${flag}`)) continue
    taken.add(`--${flag}`)
    command.addOption(new Option(`--${flag} ${showValue(member)}`, describe(member)))
  }
}

function showValue({ kind, values }: CliMember): string {
  if (values !== undefined && kind === 'text' && values.join('|').length <= 30) {
    return `<${values.join('|')}>`
  }
  if (kind === 'texts') return '<list>'
  if (kind === 'truth') return '[true|false]'
  return kind === 'text' ? '<text>' : `<${kind}>`
}

function describe({ word, isRequired, isNullable }: CliMember): string {
  const needed = isRequired === true ? ' Needed.' : ''
  return `${word}${needed}${isNullable === true ? ' "null" empties it.' : ''}`
}

function addReadFlags(command: Command, operation: CliOperation): void {
  command.option('--absolute', 'Times as they are, not as an age.')
  if (!operation.query.some(({ name }) => name === 'limit')) return
  if (
    operation.query.some(({ name }) => name === 'cursor' || name === 'after' || name === 'offset')
  ) {
    if (!command.options.some(({ long }) => long === '--limit')) {
      command.option('--limit <number>', 'The most that is shown (default: 50).')
    }
    command.option('--all', 'All pages.')
  }
}

function addWriteFlags(command: Command, spec: CommandSpec, operation: CliOperation): void {
  if (operation.types.length > 0) {
    command.option('--body <file>', 'The whole body from a file instead; - for standard input.')
  }
  command.option(
    '--dry-run',
    spec.dryRun === undefined
      ? 'Show the request, and send nothing.'
      : 'The server says what it would do, and does nothing.',
  )
  if (spec.question !== undefined) command.option('-y, --yes', 'Do not ask.')
}
