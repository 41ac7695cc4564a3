// `casework api <operation>` and `casework api <METHOD> <path>`: every operation of the interface,
// also those without a command of their own.

import { type ApiRequest, createApiClient, readJsonAnswer } from '../api-client.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'
import { formatTable } from '../format-table.ts'
import { loadConfigFromFlags } from '../settings-flags.ts'
import { showBytes } from '../write-output.ts'
import { OPERATION_COMMANDS, OTHER_COMMANDS } from './all-commands.ts'
import type { CommandSpec } from './command.ts'
import {
  type CliOperation,
  findOperation,
  listOperations,
  nameFlag,
  nameValue,
} from './operation.ts'
import { readWhole } from './read-request.ts'
import { describeRequest, runOperation } from './run-operation.ts'

type Flags = Readonly<Record<string, unknown>>

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Returns the exit code. */
export async function runApi(words: readonly string[], flags: Flags): Promise<number> {
  const [first = '', second] = words
  if (flags['list'] === true || first === '') return listAll()
  const fields = readFields(flags['field'])
  if (METHODS.has(first.toUpperCase())) {
    return await runPath(first.toUpperCase(), second, fields, flags)
  }
  const operation = findOperation(first)
  const args = words.slice(1)
  if (args.length !== operation.params.length) throw wrongCount(operation)
  const spec: CommandSpec = {
    name: `api ${operation.id}`,
    operation: operation.id,
    about: operation.title,
    examples: [`api ${operation.id}`],
  }
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      requireMember(operation, name)
      return [nameValue(nameFlag(name)), value]
    }),
  )
  return await runOperation({
    spec,
    args,
    flags: { ...flags, output: readOutput(flags), ...values },
  })
}

function listAll(): number {
  const commands = new Map([
    ...Object.entries(OTHER_COMMANDS),
    ...OPERATION_COMMANDS.map(({ operation, name }) => [operation, name] as const),
  ])
  const rows = [...listOperations().values()].map(({ id, method, path, title }) => {
    return { operation: id, method, path, command: commands.get(id) ?? '', title }
  })
  process.stdout.write(formatTable(['operation', 'method', 'path', 'command', 'title'], rows))
  return EXIT.ok
}

function wrongCount({ id, params, path }: CliOperation): CommandFailure {
  const names = params.map(({ name }) => `<${nameFlag(name)}>`).join(' ')
  return new CommandFailure(
    `Its path is ${path}: npx casework api ${id}${names === '' ? ' takes no arguments' : ` ${names}`}.`,
    EXIT.usage,
  )
}

function requireMember({ id, query, body }: CliOperation, name: string): void {
  const members = [...query, ...body].map((member) => member.name)
  if (members.includes(name)) return
  throw new CommandFailure(
    `${id} has no ${name}; it takes ${members.join(', ') || 'nothing'}.`,
    EXIT.usage,
  )
}

function readFields(given: unknown): Readonly<Record<string, string>> {
  const fields = Array.isArray(given) ? given.map(String) : []
  return Object.fromEntries(
    fields.map((field): [string, string] => {
      const at = field.indexOf('=')
      if (at > 0) return [field.slice(0, at), field.slice(at + 1)]
      throw new CommandFailure(`--field takes name=value, not "${field}".`, EXIT.usage)
    }),
  )
}

function readOutput(flags: Flags): unknown {
  return flags['output'] ?? 'json'
}

/** A request as it stands; fields are its query, or the members of its body. */
async function runPath(
  method: string,
  path: string | undefined,
  fields: Readonly<Record<string, string>>,
  flags: Flags,
): Promise<number> {
  if (path === undefined || !path.startsWith('/')) {
    throw new CommandFailure('A path such as /beta/whoami is needed.', EXIT.usage)
  }
  const search = new URLSearchParams(fields).toString()
  const hasQuery = method === 'GET' || method === 'DELETE'
  const file = flags['body']
  const bytes = typeof file === 'string' ? readWhole(file) : undefined
  const request: ApiRequest = {
    method,
    path: hasQuery && search !== '' ? `${path}${path.includes('?') ? '&' : '?'}${search}` : path,
    ...(bytes === undefined ? {} : { bytes, contentType: readType(flags) }),
    ...(bytes === undefined && !hasQuery && search !== '' ? { json: readMembers(fields) } : {}),
  }
  if (method !== 'GET' && flags['dryRun'] === true) {
    process.stdout.write(describeRequest(request))
    return EXIT.ok
  }
  const client = createApiClient(flags, loadConfigFromFlags(flags).config)
  const answer = await client.send(request)
  if (answer.status >= 300) readJsonAnswer(answer)
  process.stdout.write(showBytes(answer.bytes))
  if (process.stdout.isTTY && !answer.text.endsWith('\n')) process.stdout.write('\n')
  return EXIT.ok
}

function readType(flags: Flags): string {
  const type = flags['contentType']
  return typeof type === 'string' ? type : 'application/json'
}

/** A value that is JSON is that value, and any other a text. */
function readMembers(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => {
      try {
        return [name, JSON.parse(text) as unknown]
      } catch {
        return [name, text]
      }
    }),
  )
}
