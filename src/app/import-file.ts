// Turns files of threat data into rows for the push endpoints: the formats of `casework import`,
// and the endpoint of each.

import { readContactsCsv } from '../intel/contacts/read-contacts-csv.ts'
import { readCowrieLog } from '../intel/sources/formats/read-cowrie-log.ts'
import { readPlainList } from '../intel/sources/formats/read-plain-list.ts'
import { RBLDNSD_DATASETS, readRbldnsdZone } from '../intel/sources/formats/read-rbldnsd-zone.ts'

/** `hosts` and `cidr` are names that people search for; the reader of `plain` takes both. */
export const IMPORT_FORMATS = [
  'plain',
  'hosts',
  'cidr',
  'rbldnsd',
  'allow',
  'network',
  'contacts',
  'cowrie',
] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

export interface ImportOptions {
  /** The blocklist or allow-list that gets the entries of the file. */
  readonly list: string | null
  /** The tag that the entries get instead of a listing. */
  readonly tag: string | null
  readonly source: string | null
  /** The kind of rbldnsd data set, where the lines of the file do not show it. */
  readonly dataset: string | null
  /**
   * How exclusions of an rbldnsd data set are used. As an allow-list they win over every list, not
   * only over this one.
   */
  readonly exclusions: 'skip' | 'allow'
}

/**
 * The endpoint of the rows, and how many go in one call: about 4 MB, far below the endpoint's
 * limit, so an interrupted import loses little.
 */
export interface PushTarget {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  /** NDJSON is read as it arrives; a JSON array may have 10,000 rows. */
  readonly encoding: 'ndjson' | 'array'
  readonly rowsAPart: number
}

export interface ImportRow {
  readonly kind: 'row'
  readonly lineNumber: number
  readonly row: object
  readonly target: PushTarget
}

export type ImportEntry =
  | ImportRow
  | { readonly kind: 'refused'; readonly lineNumber: number; readonly reason: string }

type Input = AsyncIterable<Uint8Array | string>

const SIGHTINGS = push('/beta/sightings')
const LISTINGS = push('/beta/listings')
const TAGGINGS = push('/beta/taggings')
const ALLOWANCES = push('/beta/allowances')
const NETWORKS = push('/beta/networks')
const CONTACTS: PushTarget = {
  method: 'PUT',
  path: '/beta/contacts',
  encoding: 'array',
  rowsAPart: 10_000,
}

const SOURCE_KINDS: ReadonlyMap<PushTarget, string> = new Map([
  [LISTINGS, 'mail-blocklist'],
  [TAGGINGS, 'tag-list'],
  [ALLOWANCES, 'allow-list'],
  [NETWORKS, 'network'],
])

function push(path: string): PushTarget {
  return { method: 'POST', path, encoding: 'ndjson', rowsAPart: 25_000 }
}

const NO_MEANING =
  'Say what being on the list means: --list <name> for a blocklist, or --tag <name>.'
const EXCLUSION =
  'An exclusion is left out, since it holds for this data set only; --exclusions allow puts it on the allow-list, which wins over every list.'

/**
 * The endpoint that replaces all entries of the source by those of the file. Null when a file of
 * this format is not a whole list, or the options do not say what an entry means.
 */
export function findReplacementPath(format: ImportFormat, options: ImportOptions): string | null {
  if (format === 'cowrie' || format === 'contacts') return null
  const meaning = readMeaningOf(format, options)
  const kind = meaning === null ? undefined : SOURCE_KINDS.get(meaning.target)
  if (meaning === null || kind === undefined) return null
  return `/beta/sources/${kind}/${encodeURIComponent(meaning.members.source)}/entries`
}

/**
 * The rows of a file of `format` with the endpoint of each; one sentence when options are missing.
 */
export function planImport(
  format: ImportFormat,
  input: Input,
  options: ImportOptions,
): AsyncIterable<ImportEntry> | string {
  const { source } = options
  switch (format) {
    case 'cowrie':
      return to(SIGHTINGS, readCowrieLog(input, source === null ? {} : { source }))
    case 'contacts':
      return to(CONTACTS, readContactsCsv(input, source ?? 'import'))
    case 'allow': {
      const { target, members } = readAllowMeaning(options)
      return addToEach(target, readPlainList(input), members)
    }
    case 'network': {
      const { target, members } = readNetworkMeaning(options)
      return addToEach(target, readPlainList(input), members)
    }
    case 'plain':
    case 'hosts':
    case 'cidr': {
      const meaning = readMeaning(options)
      if (meaning === null) return NO_MEANING
      return addToEach(meaning.target, readPlainList(input), meaning.members)
    }
    case 'rbldnsd':
      return planRbldnsd(input, options)
  }
}

function readMeaningOf(format: ImportFormat, options: ImportOptions): Meaning | null {
  if (format === 'network') return readNetworkMeaning(options)
  return format === 'allow' ? readAllowMeaning(options) : readMeaning(options)
}

interface Meaning {
  readonly target: PushTarget
  readonly members: { readonly source: string; readonly list?: string; readonly tag?: string }
}

function readMeaning({ list, tag, source }: ImportOptions): Meaning | null {
  if (list !== null && tag === null) {
    return { target: LISTINGS, members: { list, source: source ?? list } }
  }
  if (tag !== null && list === null) {
    return { target: TAGGINGS, members: { tag, source: source ?? 'import' } }
  }
  return null
}

function readAllowMeaning({ list, source }: ImportOptions): Meaning {
  const name = list ?? 'allow'
  return { target: ALLOWANCES, members: { list: name, source: source ?? name } }
}

function readNetworkMeaning({ source }: ImportOptions): Meaning {
  return { target: NETWORKS, members: { source: source ?? 'own' } }
}

function planRbldnsd(input: Input, options: ImportOptions): AsyncIterable<ImportEntry> | string {
  const meaning = readMeaning(options)
  if (meaning === null) return NO_MEANING
  const named = options.dataset ?? 'combined'
  const dataset = RBLDNSD_DATASETS.find((known) => known === named)
  if (dataset === undefined) return `--dataset takes one of ${RBLDNSD_DATASETS.join(', ')}.`
  return readZone(readRbldnsdZone(input, dataset), meaning, options.exclusions)
}

async function* readZone(
  entries: ReturnType<typeof readRbldnsdZone>,
  { target, members }: Meaning,
  exclusions: ImportOptions['exclusions'],
): AsyncGenerator<ImportEntry> {
  // A tagging has no reason of its own.
  const hasReason = target === LISTINGS
  for await (const entry of entries) {
    const { lineNumber } = entry
    if (entry.kind === 'refused') yield entry
    else if (entry.kind === 'entry') {
      const { item, reason } = entry
      const saying = hasReason && reason !== undefined ? { reason } : {}
      yield { kind: 'row', lineNumber, target, row: { item, ...members, ...saying } }
    } else if (exclusions === 'allow') {
      const list = members.list ?? members.source
      const row = { item: entry.item, list, source: members.source }
      yield { kind: 'row', lineNumber, target: ALLOWANCES, row }
    } else yield { kind: 'refused', lineNumber, reason: EXCLUSION }
  }
}

type Refused = Extract<ImportEntry, { kind: 'refused' }>

async function* to(
  target: PushTarget,
  entries: AsyncIterable<Omit<ImportRow, 'target'> | Refused>,
): AsyncGenerator<ImportEntry> {
  for await (const entry of entries) yield entry.kind === 'refused' ? entry : { ...entry, target }
}

async function* addToEach(
  target: PushTarget,
  entries: ReturnType<typeof readPlainList>,
  members: object,
): AsyncGenerator<ImportEntry> {
  for await (const entry of entries) {
    if (entry.kind === 'refused') yield entry
    else {
      const { lineNumber, item } = entry
      yield { kind: 'row', lineNumber, target, row: { item, ...members } }
    }
  }
}
