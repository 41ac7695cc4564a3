// `casework playbook simulate` and `casework playbook validate`, through the server. A file is read
// as an import reads it; nothing is stored.

import { buffer } from 'node:stream/consumers'
import { type PlaybookFile, readPlaybookFile } from '../app/read-playbook-file.ts'
import { OperatingError } from '../kernel/operating-error.ts'
import type { FieldProblem } from '../values/field-problem.ts'
import { isJsonObject } from '../values/json-value.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { formatTable } from './format-table.ts'
import { openInput } from './open-input.ts'
import {
  ask,
  describeProblem,
  type Flags,
  findVersionPath,
  listAll,
  type Members,
  PLAYBOOKS_PATH,
  printWarnings,
  readRows,
} from './playbook-command.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { writeRead } from './write-read.ts'

const CHUNK_BYTES = 65_536
const DOCUMENT_FILE = /^-$|\.(?:ya?ml|json)$/i

export async function runPlaybookValidate(file: string, flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const { problems, warnings } = await checkFile(await readFile(file, flags), flags)
  const valid = problems.length === 0
  if (output !== 'human') {
    const document = { valid, problems, warnings }
    const rows = [...problems, ...warnings]
    writeRead(output, { document, rows, formatForPeople: () => '' })
  }
  printWarnings(warnings)
  if (!valid) throw notValid(problems)
  if (output === 'human') process.stdout.write('The playbook is valid.\n')
}

export async function runPlaybookSimulate(
  subject: string,
  version: string | undefined,
  flags: Flags,
): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const request = buildRequest(flags)
  const answer = DOCUMENT_FILE.test(subject)
    ? await simulateFile(subject, version, request, flags)
    : await simulateVersion(subject, version, request, flags)
  const rows = readRows(answer['cases'])
  writeRead(output, { document: answer, rows, formatForPeople: () => describeResult(answer) })
}

async function simulateVersion(
  subject: string,
  version: string | undefined,
  request: Members,
  flags: Flags,
): Promise<Members> {
  const versionFlags = version === undefined ? flags : { ...flags, versionNumber: version }
  const path = await findVersionPath(subject, versionFlags)
  return await ask(flags, { method: 'POST', path: `${path}/simulate`, json: request })
}

async function simulateFile(
  subject: string,
  version: string | undefined,
  request: Members,
  flags: Flags,
): Promise<Members> {
  if (version !== undefined) {
    throw new CommandFailure('A file has no version; name a playbook instead.', EXIT.usage)
  }
  const file = await readFile(subject, flags)
  const { problems } = await checkFile(file, flags)
  if (problems.length > 0) throw notValid(problems)
  const json = { nodes: file.nodes, ...request }
  return await ask(flags, { method: 'POST', path: `${PLAYBOOKS_PATH}/simulate`, json })
}

interface FileCheck {
  readonly problems: readonly Members[]
  readonly warnings: readonly Members[]
}

/** What the server finds, each with its line. */
async function checkFile(file: PlaybookFile, flags: Flags): Promise<FileCheck> {
  const { nodes, description } = file
  const json = { nodes, ...(description === '' ? {} : { description }) }
  const path = `${PLAYBOOKS_PATH}/validate`
  const { problems, warnings } = await ask(flags, { method: 'POST', path, json })
  const addLines = (given: unknown): readonly Members[] =>
    readRows(given).map((one) => ({ ...file.addLine(readProblem(one)) }))
  return { problems: addLines(problems), warnings: addLines(warnings) }
}

function readProblem({ path, reason, ...others }: Members): FieldProblem {
  return { ...others, path: String(path), reason: String(reason) }
}

function notValid(problems: readonly Members[]): CommandFailure {
  const places = problems.map(describeProblem).join('\n')
  return new CommandFailure(`The playbook is not valid:\n${places}`, EXIT.usage)
}

/** With playbooks that it names by their ids. */
async function readFile(file: string, flags: Flags): Promise<PlaybookFile> {
  const { stream } = await openInput(file, CHUNK_BYTES)
  const bytes = await buffer(stream)
  try {
    const read = readPlaybookFile(/\.json$/i.test(file) ? readJson(file, bytes) : bytes)
    return { ...read, nodes: await nameById(read.nodes, flags) }
  } catch (error) {
    if (!(error instanceof OperatingError) || error.fields.length === 0) throw error
    throw notValid(error.fields.map((one) => ({ ...one })))
  }
}

function readJson(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new CommandFailure(`${file} is no JSON.`, EXIT.usage, error)
  }
}

async function nameById(nodes: readonly unknown[], flags: Flags): Promise<readonly unknown[]> {
  const isNaming = nodes.some((node) => findPlaybookName(node) !== null)
  if (!isNaming) return nodes
  const ids = new Map((await listAll(flags)).map(({ name, id }) => [name, id]))
  return nodes.map((node) => {
    const id = ids.get(findPlaybookName(node))
    if (id === undefined || !isJsonObject(node) || !isJsonObject(node['config'])) return node
    return { ...node, config: { ...node['config'], playbook: id } }
  })
}

function findPlaybookName(node: unknown): string | null {
  const config = isJsonObject(node) ? node['config'] : null
  const name = isJsonObject(config) ? config['playbook'] : null
  return typeof name === 'string' ? name : null
}

function buildRequest({ case: cases, group, last, assume, asIs }: Flags): Members {
  return {
    ...(Array.isArray(cases) && cases.length > 0 ? { case_ids: cases } : {}),
    ...(typeof group === 'string' ? { case_group: group } : {}),
    ...(typeof last === 'string' ? { last: Number(last) } : {}),
    ...(Array.isArray(assume) && assume.length > 0 ? { assume: readAssumptions(assume) } : {}),
    ...(asIs === true ? { as_new: false } : {}),
  }
}

function readAssumptions(given: readonly unknown[]): Members {
  return Object.fromEntries(
    given.map((one) => {
      const [, node, paths] = /^([^=]+)=(.+)$/.exec(String(one)) ?? []
      if (node === undefined || paths === undefined) {
        throw new CommandFailure(
          '--assume takes node=path, or node=path,path for one visit after the other.',
          EXIT.usage,
        )
      }
      const list = paths.split(',')
      return [node, list.length === 1 ? paths : list]
    }),
  )
}

const SECTIONS = [
  ['outcomes', ['outcome', 'reason', 'cases']],
  ['paths', ['node', 'kind', 'path', 'visits', 'cases']],
  ['effects', ['node', 'kind', 'count', 'cases']],
  ['waits', ['node', 'cases']],
  ['problems', ['node', 'reason', 'cases']],
] as const

function describeResult({ summary, cases }: Members): string {
  const rows = readRows(cases)
  if (rows.length === 0) return 'There is no case to simulate on.\n'
  const counted: Members = isJsonObject(summary) ? summary : {}
  const tables = SECTIONS.flatMap(([name, columns]) => {
    const section = readRows(counted[name])
    return section.length === 0 ? [] : [`${name.toUpperCase()}\n${formatTable(columns, section)}`]
  })
  const each = rows.map(({ case_id: id, outcome, reason, visits, waits, changes }) => ({
    case_id: id,
    outcome,
    reason,
    visits: readRows(visits).length,
    waits_at: readRows(waits).map(({ node }) => node),
    changes: isJsonObject(changes) ? Object.keys(changes) : [],
  }))
  const columns = ['case_id', 'outcome', 'reason', 'visits', 'waits_at', 'changes']
  return [...tables, `CASES\n${formatTable(columns, each)}`].join('\n')
}
