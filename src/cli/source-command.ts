// `casework source list|presets|add|fetch|remove`, through the running server; entries are in
// source-entries-command.ts. Presets are data of this package.

import { readResource } from '../values/resources.ts'
import { type ApiRequest, createApiClient, readJsonAnswer } from './api-client.ts'
import { isDryRun, requireConsent } from './confirm.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { formatTable } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { countOf, nameFlags } from './wording.ts'
import { writeRead } from './write-read.ts'

type Flags = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, unknown>>

const INTERVAL_SECONDS_DEFAULT = 86_400

interface SourceName {
  readonly kind: string
  readonly name: string
}

interface Preset {
  readonly preset: string
  readonly kind: string
  readonly name: string
  readonly description: string
  readonly origin: string
  readonly licence: string
  readonly ttlSeconds: number
  readonly fetch: Members
}

/** The presets of `resources/source-presets.json`, whose shape a test holds. */
export function readPresets(): readonly Preset[] {
  const presets: readonly Preset[] = JSON.parse(readResource('source-presets.json'))
  return presets
}

export async function runSourceList(flags: Flags): Promise<void> {
  const output = readOutput(flags, OUTPUTS)
  const answer = await ask(flags, { method: 'GET', path: '/beta/sources' })
  const sources = readRecords(answer['result'])
  const shown = sources.map((source) => ({ ...source, ...fetchColumns(source['fetch']) }))
  const columns = ['kind', 'name', 'state', 'entries', 'heardAt', 'nextAt', 'trouble']
  const formatForPeople = (): string => formatTable(columns, shown)
  const rows = output === 'csv' ? shown : sources
  writeRead(output, { document: sources, rows, columns, formatForPeople })
}

function fetchColumns(fetch: unknown): Members {
  if (!isRecord(fetch)) return {}
  const { nextAt, trouble } = fetch
  return { nextAt, trouble: typeof trouble === 'string' ? nameFlags(trouble) : undefined }
}

export function runSourcePresets(flags: Flags): void {
  const output = readOutput(flags, OUTPUTS)
  const presets = readPresets()
  const columns = ['preset', 'kind', 'description', 'licence']
  const formatForPeople = (): string =>
    formatTable(
      columns,
      presets.map((preset) => ({ ...preset })),
    )
  writeRead(output, { document: presets, columns, formatForPeople })
}

export async function runSourceAdd(text: string, flags: Flags): Promise<void> {
  const preset = readPresets().find((known) => known.preset === text)
  const { path, json } = preset === undefined ? readOwn(text, flags) : usePreset(preset, flags)
  const { result } = await ask(flags, { method: 'PUT', path, json })
  const isEnabled = flags['enable'] === true
  const { kind, name } = isRecord(result) ? result : {}
  const next = isEnabled
    ? 'it is fetched within a minute, and then by its schedule.'
    : `fetch it by "npx casework source fetch ${String(kind)}/${String(name)}", or add it again with --enable.`
  process.stderr.write(`${String(kind)}/${String(name)} is there; ${next}\n`)
}

interface Description {
  readonly path: string
  readonly json: Members
}

function usePreset(preset: Preset, flags: Flags): Description {
  const { kind, name, description, origin, licence, ttlSeconds } = preset
  if (flags['listUrl'] !== undefined) {
    throw new CommandFailure('A preset has its own URL; leave out --list-url.', EXIT.usage)
  }
  const fetch = { ...preset.fetch, ...readSchedule(flags), enabled: flags['enable'] === true }
  const terms = { description, origin, licence, ttlSeconds, ...readTerms(flags) }
  return { path: pathOfSource({ kind, name }), json: { ...terms, fetch } }
}

function readOwn(text: string, flags: Flags): Description {
  const { kind, name } = readSourceName(text)
  const { listUrl, format, name: entryName } = flags
  if (typeof listUrl !== 'string') {
    throw new CommandFailure(
      `Say where the list is published: --list-url <url>. "npx casework source presets" lists those with a URL of their own.`,
      EXIT.usage,
    )
  }
  const fetch = {
    url: listUrl,
    format: typeof format === 'string' ? format : 'plain',
    ...(typeof entryName === 'string' ? { name: entryName } : {}),
    intervalSeconds: INTERVAL_SECONDS_DEFAULT,
    ...readSchedule(flags),
    enabled: flags['enable'] === true,
  }
  return { path: pathOfSource({ kind, name }), json: { ...readTerms(flags), fetch } }
}

function readTerms({ licence, origin, ttl }: Flags): Members {
  return {
    ...(typeof licence === 'string' ? { licence } : {}),
    ...(typeof origin === 'string' ? { origin } : {}),
    ...(typeof ttl === 'string' ? { ttlSeconds: readSeconds('--ttl', ttl) } : {}),
  }
}

function readSchedule({ every }: Flags): Members {
  return typeof every === 'string' ? { intervalSeconds: readSeconds('--every', every) } : {}
}

function readSeconds(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new CommandFailure(`${flag} takes a number of seconds.`, EXIT.usage)
  }
  return Number(text)
}

export async function runSourceFetch(text: string, flags: Flags): Promise<void> {
  const { kind, name } = readSourceName(text)
  const query = flags['allowShrink'] === true ? '?allowShrink=true' : ''
  const path = `${pathOfSource({ kind, name })}/fetch${query}`
  const { result } = await ask(flags, { method: 'POST', path })
  const fetched = isRecord(result) ? result : {}
  switch (fetched['outcome']) {
    case 'replaced':
      process.stderr.write(
        `${text}: ${countOf(fetched['accepted'], 'entry', 'entries')}, ${String(fetched['removed'])} removed, ${countOf(fetched['refused'], 'line')} not taken.\n`,
      )
      return
    case 'unchanged':
      process.stderr.write(`${text} has not changed since it was fetched last.\n`)
      return
    case 'running':
      process.stderr.write(
        `${text} is still being fetched: the server goes on, and "casework source list" shows the outcome.\n`,
      )
      return
    default:
      throw new CommandFailure(
        `${text} is left as it was. ${nameFlags(String(fetched['trouble']))}`,
        EXIT.failure,
      )
  }
}

export async function runSourceRemove(text: string, flags: Flags): Promise<void> {
  const { kind, name } = readSourceName(text)
  const request = { method: 'DELETE', path: pathOfSource({ kind, name }) }
  if (isDryRun(flags, request)) return
  await requireConsent(`Remove ${text} with all of its entries?`, flags)
  await ask(flags, request)
  process.stderr.write(`${text} is removed with all of its entries.\n`)
}

// A name may contain slashes, a kind has none.
export function readSourceName(text: string): SourceName {
  const slash = text.indexOf('/')
  if (slash < 1 || slash === text.length - 1) {
    throw new CommandFailure(
      `"${text}" is no preset and no source: give kind and name, such as mail-blocklist/my-list.`,
      EXIT.usage,
    )
  }
  return { kind: text.slice(0, slash), name: text.slice(slash + 1) }
}

export function pathOfSource({ kind, name }: SourceName): string {
  return `/beta/sources/${encodeURIComponent(kind)}/${encodeURIComponent(name)}`
}

async function ask(flags: Flags, request: ApiRequest): Promise<Members> {
  const { config } = loadConfigFromFlags(flags)
  return readJsonAnswer(await createApiClient(flags, config).send(request))
}

function readRecords(value: unknown): readonly Members[] {
  if (Array.isArray(value) && value.every(isRecord)) return value
  throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
}

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
