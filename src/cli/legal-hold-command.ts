// `casework privacy hold|lift|holds`: legal holds, through the running server.

import { type ApiClient, createApiClient, readJsonAnswer } from './api-client.ts'
import { isDryRun, requireConsent } from './confirm.ts'
import { escapeControls, formatTable } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>

export async function runHold(caseId: string, flags: Flags): Promise<void> {
  const hold = await post(flags, `${encodeURIComponent(caseId)}/hold`)
  printLine(`${String(hold['case_id'])} is on legal hold.`)
}

export async function runLift(caseId: string, flags: Flags): Promise<void> {
  const path = `${encodeURIComponent(caseId)}/hold/lift`
  if (isDryRun(flags, { method: 'POST', path: `/beta/casework/cases/${path}` })) return
  const question = `Lift the legal hold on ${caseId}? Its records may be removed and erased again.`
  await requireConsent(question, flags)
  const hold = await post(flags, path)
  printLine(`The legal hold on ${String(hold['case_id'])} is lifted.`)
}

async function post(flags: Flags, path: string): Promise<Readonly<Record<string, unknown>>> {
  const json = { reason: flags['reason'] }
  const request = { method: 'POST', path: `/beta/casework/cases/${path}`, json }
  return readJsonAnswer(await open(flags).send(request))
}

function open(flags: Flags): ApiClient {
  return createApiClient(flags, loadConfigFromFlags(flags).config)
}

function printLine(line: string): void {
  process.stdout.write(`${escapeControls(line)}\n`)
}

// Pages of a hundred legal holds, more than any tenant has.
const PAGES_MAX = 10_000

export async function runHolds(flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const holds = await readHolds(open(flags), flags['all'] === true)
  const rows = holds.map((hold) => ({
    ...hold,
    state: hold['in_force'] === true ? 'held' : 'lifted',
  }))
  const columns = ['case_id', 'state', 'placed_at', 'reason']
  const formatForPeople = (): string =>
    rows.length === 0 ? 'No case is on legal hold.\n' : formatTable(columns, rows)
  writeRead(output, { document: holds, formatForPeople })
}

type Hold = Readonly<Record<string, unknown>>

async function readHolds(client: ApiClient, isAll: boolean): Promise<readonly Hold[]> {
  const found: Hold[] = []
  let cursor = ''
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = new URLSearchParams({
      limit: '100',
      ...(isAll ? {} : { in_force: 'true' }),
      ...(cursor === '' ? {} : { cursor }),
    })
    const path = `/beta/casework/legal-holds?${query.toString()}`
    // Each page begins where the page before it ended.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer = readJsonAnswer(await client.send({ method: 'GET', path }))
    const { items, next_cursor: next } = answer
    if (Array.isArray(items)) found.push(...items.map((item: unknown) => Object(item)))
    cursor = typeof next === 'string' ? next : ''
    if (cursor === '') break
  }
  return found
}
