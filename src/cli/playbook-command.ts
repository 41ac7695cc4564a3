// `casework playbook list|show|export|import|activate|templates`, through the server.

import { type ApiRequest, createApiClient, readJsonAnswer } from './api-client.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { formatJson, formatTable } from './format-table.ts'
import { openInput } from './open-input.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

export type Flags = Readonly<Record<string, unknown>>
export type Members = Readonly<Record<string, unknown>>

export const PLAYBOOKS_PATH = '/beta/casework/playbooks'
const CHUNK_BYTES = 65_536

export async function runPlaybookList(flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const playbooks = await listAll(flags)
  const columns = ['name', 'active_version', 'latest_version', 'id']
  const formatForPeople = (): string => formatTable(columns, playbooks)
  writeRead(output, { document: playbooks, columns, formatForPeople })
}

export async function runPlaybookShow(text: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const playbook = await ask(flags, { method: 'GET', path: await findPath(text, flags) })
  const versions = readRows(playbook['versions'])
  const columns = ['version', 'state', 'created_at', 'activated_at']
  const formatForPeople = (): string =>
    `${formatTable(['name', 'id', 'created_at'], [playbook])}\n${formatTable(columns, versions)}`
  writeRead(output, { document: playbook, rows: versions, columns, formatForPeople })
}

export async function runPlaybookExport(text: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, ['yaml', 'json'])
  const path = await findVersionPath(text, flags)
  const answer = await client(flags).send({
    method: 'GET',
    path: `${path}/export?format=${output}`,
  })
  if (answer.status !== 200) readJsonAnswer(answer)
  process.stdout.write(answer.text)
}

export async function runPlaybookImport(file: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, ['human', 'json'])
  const isDry = flags['dryRun'] === true
  const path = `${PLAYBOOKS_PATH}/import${isDry ? '?dry_run=true' : ''}`
  const answer = await ask(flags, { method: 'POST', path, ...(await readSource(file, flags)) })
  if (output === 'json') process.stdout.write(`${formatJson(answer, 2)}\n`)
  else process.stdout.write(describeImport(answer))
  printWarnings(readRows(answer['warnings']))
  if (answer['outcome'] !== 'refused') return
  const places = readRows(answer['problems']).map(describeProblem)
  throw new CommandFailure(`The playbook is not valid:\n${places.join('\n')}`, EXIT.usage)
}

async function readSource(file: string, flags: Flags): Promise<Partial<ApiRequest>> {
  const { template, name } = flags
  if (typeof template === 'string') {
    return { json: { template, ...(typeof name === 'string' ? { name } : {}) } }
  }
  if (name !== undefined) {
    throw new CommandFailure(
      '--name belongs to --template; a file names its playbook itself.',
      EXIT.usage,
    )
  }
  const { stream } = await openInput(file, CHUNK_BYTES)
  const contentType = file.endsWith('.json') ? 'application/json' : 'application/yaml'
  return { stream, contentType }
}

function describeImport({ outcome, name, version, dry_run: isDry, changes }: Members): string {
  const title = `“${String(name)}”`
  const lines = listChanges(changes)
  switch (outcome) {
    case 'playbook_created':
      return isDry === true
        ? `${title} would be a new playbook.\n`
        : `${title} is a new playbook; its version 1 is a draft.\n`
    case 'version_created':
      return isDry === true
        ? `${title} would get a new version:${lines}\n`
        : `${title} has the version ${String(version)}, a draft:${lines}\n`
    case 'unchanged':
      return `${title} says this already in its version ${String(version)}.\n`
    default:
      return ''
  }
}

function listChanges(changes: unknown): string {
  const { added, changed, removed }: Members = { ...Object(changes) }
  const parts = Object.entries({ added, changed, removed }).flatMap(([what, ids]) =>
    Array.isArray(ids) && ids.length > 0 ? [` ${what} ${ids.join(', ')}`] : [],
  )
  return parts.length === 0 ? ' the same nodes, described otherwise.' : `${parts.join(';')}.`
}

/** On standard error: the command succeeds all the same. */
export function printWarnings(warnings: readonly Members[]): void {
  for (const warning of warnings) process.stderr.write(`${describeProblem(warning)}\n`)
}

export function describeProblem(problem: Members): string {
  const { path, node, field, line, reason } = problem
  const place = typeof node === 'string' ? [node, field] : [path]
  const words = [...(typeof line === 'number' ? [`line ${line}:`] : []), ...place, reason]
  return words.filter((word) => typeof word === 'string').join(' ')
}

export async function runPlaybookActivate(text: string, flags: Flags): Promise<void> {
  const path = await findVersionPath(text, flags)
  const { version, warnings } = await ask(flags, { method: 'POST', path: `${path}/activate` })
  printWarnings(readRows(warnings))
  process.stderr.write(`Version ${String(version)} of ${text} is active.\n`)
}

export async function runPlaybookTemplates(flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const { items } = await ask(flags, { method: 'GET', path: '/beta/casework/playbook-templates' })
  const rows = readRows(items)
  const columns = ['name', 'title', 'node_count', 'secrets']
  const formatForPeople = (): string => formatTable(columns, rows)
  writeRead(output, { document: rows, columns, formatForPeople })
}

async function findPath(text: string, flags: Flags): Promise<string> {
  const found = (await listAll(flags)).find(({ id, name }) => name === text || id === text)
  if (found !== undefined) return `${PLAYBOOKS_PATH}/${String(found['id'])}`
  throw new CommandFailure(
    `There is no playbook “${text}”; "npx casework playbook list" shows those that are there.`,
    EXIT.notFound,
  )
}

/** The path of the version that the flags name, else of the newest. */
export async function findVersionPath(text: string, flags: Flags): Promise<string> {
  const path = await findPath(text, flags)
  const given = flags['versionNumber']
  if (typeof given === 'string') return `${path}/versions/${encodeURIComponent(given)}`
  const { latest_version: newest } = await ask(flags, { method: 'GET', path })
  return `${path}/versions/${String(newest)}`
}

export async function listAll(flags: Flags): Promise<readonly Members[]> {
  const found: Members[] = []
  for (let cursor = ''; ; ) {
    const page = `limit=1000${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    // A page names the next one.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const { items, next_cursor: next } = await ask(flags, {
      method: 'GET',
      path: `${PLAYBOOKS_PATH}?${page}`,
    })
    found.push(...readRows(items))
    if (typeof next !== 'string' || next === '') return found
    cursor = next
  }
}

export function readRows(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value : []
}

function client(flags: Flags) {
  return createApiClient(flags, loadConfigFromFlags(flags).config)
}

export async function ask(flags: Flags, request: ApiRequest): Promise<Members> {
  return readJsonAnswer(await client(flags).send(request))
}
