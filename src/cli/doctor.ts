// `casework doctor`: checks the requirements of the service from the machine of the command. Exit
// code 0 when nothing failed, else 1.

import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { checkShards } from '../app/sharding/check-shards.ts'
import type { Config } from '../kernel/config.ts'
import { findConnectionReason } from '../kernel/db/trouble-codes.ts'
import { FREE_BYTES_MIN } from '../kernel/disk-space.ts'
import { OperatingError } from '../kernel/operating-error.ts'
import { findBinaries } from '../kernel/postgres/binaries.ts'
import { type ApiClient, createApiClient, namesRemoteServer, readServerUrl } from './api-client.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

interface Finding {
  readonly name: string
  readonly state: 'ok' | 'off' | 'degraded' | 'failed'
  readonly detail: string
}

type Flags = Readonly<Record<string, unknown>>

export async function runDoctor(flags: Flags): Promise<ExitCode> {
  const output = readOutput(flags, OUTPUTS)
  const findings = await examine(flags)
  const hasFailed = findings.some((finding) => finding.state === 'failed')
  writeRead(output, {
    document: { ok: !hasFailed, findings },
    rows: findings.map((finding) => ({ ...finding })),
    formatForPeople: () => formatFindings(findings),
  })
  return hasFailed ? EXIT.failure : EXIT.ok
}

function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings
    .map(({ state, name, detail }) => {
      return `${state.padEnd(9)} ${name.padEnd(width)} ${escapeControls(detail)}\n`
    })
    .join('')
}

async function examine(flags: Flags): Promise<readonly Finding[]> {
  const node: Finding = {
    name: 'node',
    state: 'ok',
    detail: `Node ${process.versions.node} on ${process.platform} ${process.arch}.`,
  }
  const settings = readSettings(flags)
  if (settings.kind === 'wrong') return [node, settings.finding]
  const { config } = settings
  const sharding = namesRemoteServer(flags) ? [] : await checkSharding(config)
  return [
    node,
    ...checkThisMachine(flags, config),
    ...sharding,
    ...(await askServer(flags, config)),
  ]
}

/** Settings, data folder and database belong to the machine of the server. */
function checkThisMachine(flags: Flags, config: Config): readonly Finding[] {
  if (namesRemoteServer(flags)) {
    const detail =
      'Settings, data folder and database are not checked: the server is on another machine. Run the command there too.'
    return [{ name: 'this machine', state: 'off', detail }]
  }
  return [
    { name: 'settings', state: 'ok', detail: 'All settings are valid.' },
    checkDataFolder(config, readServerUrl(flags)),
    checkDatabaseKind(config),
  ]
}

type Settings =
  | { readonly kind: 'valid'; readonly config: Config }
  | { readonly kind: 'wrong'; readonly finding: Finding }

function readSettings(flags: Flags): Settings {
  try {
    return { kind: 'valid', config: loadConfigFromFlags(flags).config }
  } catch (error) {
    if (!(error instanceof OperatingError)) throw error
    const detail = error.publicMessage.replaceAll('\n', '; ')
    return { kind: 'wrong', finding: { name: 'settings', state: 'failed', detail } }
  }
}

/** `url`: the server that is asked, which may have another folder than this environment names. */
function checkDataFolder({ dataDir }: Config, url: string | null): Finding {
  const name = 'data folder'
  if (!existsSync(dataDir)) {
    return url === null
      ? { name, state: 'ok', detail: `${dataDir} does not exist yet; the first start makes it.` }
      : {
          name,
          state: 'off',
          detail: `${dataDir} does not exist: the server at ${url} has its own.`,
        }
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const detail = `${dataDir} is not writable for this account; change its owner, or set CASEWORK_DATA_DIR.`
    return { name, state: 'failed', detail }
  }
  const { bavail, bsize } = statfsSync(dataDir)
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`
  return bavail * bsize < FREE_BYTES_MIN
    ? { name, state: 'degraded', detail: `${dataDir} has only ${free}; make room.` }
    : { name, state: 'ok', detail: `${dataDir}, ${free}.` }
}

function checkDatabaseKind({ databaseUrl }: Config): Finding {
  const name = 'postgresql'
  if (databaseUrl !== null) {
    return { name, state: 'ok', detail: 'Your own, as DATABASE_URL names it.' }
  }
  try {
    return { name, state: 'ok', detail: `The embedded one, ${findBinaries().version}.` }
  } catch (error) {
    if (!(error instanceof OperatingError)) throw error
    return { name, state: 'failed', detail: error.publicMessage }
  }
}

/** Nothing where there is no Citus; that the database answers at all is a check of the server. */
async function checkSharding({ databaseUrl }: Config): Promise<readonly Finding[]> {
  if (databaseUrl === null) return []
  try {
    const found = await checkShards({ connectionString: databaseUrl })
    return found === null ? [] : [{ name: 'sharding', ...found }]
  } catch (error) {
    if (findConnectionReason(error) !== null) return []
    throw error
  }
}

// That a server hangs is what a person wants to know now. Its own checks take some seconds at most,
// and a node that is not ready is asked four times.
const READYZ_TIMEOUT_MS = 15_000

async function askServer(flags: Flags, config: Config): Promise<readonly Finding[]> {
  try {
    const client = createApiClient(flags, config)
    const request = { method: 'GET', path: '/readyz', timeoutMs: READYZ_TIMEOUT_MS }
    const answer = await client.send(request)
    const server: Finding = { name: 'server', state: 'ok', detail: `${client.place} answers.` }
    return [server, ...readChecks(answer.text), await askRetention(client)]
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return [{ name: 'server', state: 'failed', detail }]
  }
}

/**
 * The retention settings of the caller's tenant, its due deletions and its legal holds. A token
 * that may not see them is no fault.
 */
async function askRetention(client: ApiClient): Promise<Finding> {
  const name = 'retention'
  const answer = await client.send({ method: 'GET', path: '/beta/casework/retention' })
  const view = answer.status === 200 ? parseJson(answer.text) : null
  const settings = readNumbers(view, 'settings')
  const due = readNumbers(view, 'due')
  if (settings === null || due === null) {
    return { name, state: 'off', detail: 'Not shown: it takes a token with tenant:admin.' }
  }
  const held = describeLegalHolds(view)
  if (settings.size === 0) {
    return { name, state: 'ok', detail: `Reports, events and cases are kept for ever.${held}` }
  }
  const days = [...settings].map(
    ([setting, count]) => `${KINDS.get(setting) ?? setting} ${count} days`,
  )
  const counts = ['raw_reports', 'reports', 'events', 'cases'].map(
    (kind) => `${due.get(kind) ?? 0} ${kind.replace('_', ' ')}`,
  )
  const detail = `Kept: ${days.join(', ')}. Due now: ${counts.join(', ')}.${held}`
  return { name, state: 'ok', detail }
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['raw_report_days', 'raw reports'],
  ['event_days', 'events'],
  ['case_days', 'cases'],
  ['audit_days', 'records of decisions'],
])

function describeLegalHolds(view: unknown): string {
  const count: unknown = Object(view).held_cases
  if (typeof count !== 'number' || count === 0) return ''
  return ` A legal hold keeps ${count} ${count === 1 ? 'case' : 'cases'}.`
}

function readNumbers(view: unknown, member: string): ReadonlyMap<string, number> | null {
  const found =
    typeof view === 'object' && view !== null
      ? new Map<string, unknown>(Object.entries(view)).get(member)
      : null
  if (typeof found !== 'object' || found === null) return null
  return new Map(
    Object.entries(found).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value] as const] : [],
    ),
  )
}

const NOT_OURS: Finding = {
  name: 'readiness',
  state: 'failed',
  detail: 'What answers there is not casework; check the address.',
}

function readChecks(text: string): readonly Finding[] {
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || !('status' in body)) return [NOT_OURS]
  if (!('checks' in body)) return [readBriefState(body.status)]
  const { checks } = body
  return Array.isArray(checks) && checks.every(isFinding) ? checks : [NOT_OURS]
}

const BRIEF_STATES: ReadonlyMap<unknown, Finding['state']> = new Map([
  ['ready', 'ok'],
  ['degraded', 'degraded'],
  ['not_ready', 'failed'],
])

/** A server whose checks are on its listener for monitoring alone. */
function readBriefState(status: unknown): Finding {
  const state = BRIEF_STATES.get(status)
  if (state === undefined) return NOT_OURS
  const detail = `The server is ${state === 'failed' ? 'not ready' : String(status)}. Its checks are on its listener for monitoring (CASEWORK_OPS_PORT) and in "npx casework doctor" on its own machine.`
  return { name: 'readiness', state, detail }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const STATES: readonly unknown[] = ['ok', 'off', 'degraded', 'failed'] satisfies Finding['state'][]

function isFinding(value: unknown): value is Finding {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'state' in value &&
    STATES.includes(value.state) &&
    'detail' in value &&
    typeof value.detail === 'string'
  )
}
