// `casework token create|list|rotate|revoke`: through the running server, or directly on the
// database when no server is running.

import { type ApiRequest, createApiClient, readJsonAnswer } from './api-client.ts'
import { isDryRun, requireConsent } from './confirm.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { formatTable } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>

/**
 * Creates a token; the text of the secret goes to standard output, alone on its line, everything
 * else to standard error.
 */
export async function runTokenCreate(flags: Flags): Promise<void> {
  const answer = await ask(flags, {
    method: 'POST',
    path: '/beta/admin/tokens',
    json: buildCreateBody(flags),
  })
  if (flags['output'] === 'json') {
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
    return
  }
  const of = `Token ${String(answer['id'])} for tenant ${String(answer['tenant_id'])}`
  process.stderr.write(`${of}, shown this once:\n`)
  process.stdout.write(`${String(answer['token'])}\n`)
}

const HOUR_SECONDS = 3_600
const OVERLAP_MAX_HOURS = 168

/** The new secret goes to standard output, alone on its line. */
export async function runTokenRotate(id: string, flags: Flags): Promise<void> {
  const { overlap } = flags
  const hours = typeof overlap === 'string' && /^\d{1,3}$/.test(overlap) ? Number(overlap) : null
  if (overlap !== undefined && (hours === null || hours > OVERLAP_MAX_HOURS)) {
    throw new CommandFailure(`--overlap takes hours, at most ${OVERLAP_MAX_HOURS}.`, EXIT.usage)
  }
  const request = {
    method: 'POST',
    path: `/beta/admin/tokens/${encodeURIComponent(id)}/rotate`,
    json: {
      ...(hours === null ? {} : { overlap_seconds: hours * HOUR_SECONDS }),
      ...readExpiry(flags['expiresIn']),
    },
  } as const
  if (isDryRun(flags, request)) return
  await requireConsent(`Give the token ${id} a new secret? The former one ends soon.`, flags)
  const answer = await ask(flags, request)
  if (flags['output'] === 'json') {
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
    return
  }
  const former = answer['former_until']
  const end = typeof former === 'string' ? `is good until ${former}` : 'has ended'
  process.stderr.write(`Token ${id}: the former secret ${end}. The new one, shown this once:\n`)
  process.stdout.write(`${String(answer['token'])}\n`)
}

function buildCreateBody(flags: Flags): Record<string, unknown> {
  const { role, scopes, tenant, contactEmail, expiresIn, networks, serviceAccount } = flags
  if (typeof role !== 'string' && typeof scopes !== 'string') {
    throw new CommandFailure(
      'Say what the token may do: --role <role> or --scopes <list>.',
      EXIT.usage,
    )
  }
  return {
    name: flags['name'],
    ...(typeof scopes === 'string' ? { scopes: splitList(scopes) } : {}),
    ...(typeof role === 'string' ? { roles: splitList(role) } : {}),
    ...(typeof networks === 'string' ? { networks: splitList(networks) } : {}),
    ...(typeof serviceAccount === 'string' ? { service_account_id: serviceAccount } : {}),
    ...(typeof tenant === 'string' ? { tenant_id: tenant } : {}),
    ...(typeof contactEmail === 'string' ? { contact_email: contactEmail } : {}),
    ...readExpiry(expiresIn),
  }
}

function splitList(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}

const DAY_MS = 86_400_000

function readExpiry(expiresIn: unknown): Record<string, unknown> {
  if (typeof expiresIn !== 'string') return {}
  if (expiresIn === 'never') return { expires_at: null }
  if (!/^\d{1,4}$/.test(expiresIn) || Number(expiresIn) === 0) {
    throw new CommandFailure('--expires-in takes a number of days, or "never".', EXIT.usage)
  }
  return { expires_at: new Date(Date.now() + Number(expiresIn) * DAY_MS).toISOString() }
}

export async function runTokenList(flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const items = await listAll(flags)
  const columns = ['id', 'name', 'tenant_id', 'state', 'created_at', 'expires_at', 'last_used_at']
  const formatForPeople = (): string => formatTable(columns, items)
  writeRead(output, { document: { items }, columns, formatForPeople })
}

// The server holds at most 100,000 live tokens; revoked ones are kept besides.
const PAGES_MAX = 1_000

async function listAll(flags: Flags): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows: Record<string, unknown>[] = []
  let path = '/beta/admin/tokens?limit=1000'
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, next_cursor: cursor } = await ask(flags, { method: 'GET', path })
    if (Array.isArray(items)) rows.push(...items)
    if (typeof cursor !== 'string' || cursor === '') break
    path = `/beta/admin/tokens?limit=1000&cursor=${encodeURIComponent(cursor)}`
  }
  return rows
}

export async function runTokenRevoke(id: string, flags: Flags): Promise<void> {
  const force = flags['force'] === true ? '?force=true' : ''
  const path = `/beta/admin/tokens/${encodeURIComponent(id)}${force}`
  const request = { method: 'DELETE', path }
  if (isDryRun(flags, request)) return
  await requireConsent(`Revoke the token ${id}? What uses it is refused from then on.`, flags)
  await ask(flags, request)
  process.stderr.write(`Token ${id} is revoked.\n`)
}

/** Through the running server, or directly on the database when no server is running. */
export async function ask(flags: Flags, request: ApiRequest): Promise<Record<string, unknown>> {
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  try {
    return readJsonAnswer(await client.send(request))
  } catch (error) {
    const isNotRunning =
      error instanceof CommandFailure && error.exitCode === EXIT.network && client.isLocal
    if (!isNotRunning) throw error
    // Loaded only here: with a running server the command needs nothing of the program.
    const { askOffline } = await import('../app/offline.ts')
    return readJsonAnswer(await askOffline(config, request))
  }
}
