// Fetches a published list and replaces all entries of its source by it, in one serial (design
// section 4.3). A failed fetch changes nothing: the former entries stay, and the source shows the
// error.

import { Readable } from 'node:stream'
import type { Clock } from '../../../kernel/clock.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { Log } from '../../../kernel/log.ts'
import { OperatingError } from '../../../kernel/operating-error.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { sourceShrank } from '../../errors.ts'
import {
  NETWORK_SOURCE_KIND,
  STATEMENT_SOURCE_KINDS,
  type StagedTable,
} from '../../facts/source-kinds.ts'
import { type ReadCounts, readFetchedList } from '../formats/read-fetched-list.ts'
import type { ReadPushBody } from '../push/read-push.ts'
import type { ReplaceList } from '../replace-list.ts'
import { findSource, noteHeard } from '../source-store.ts'
import { type FetchFormat, isFetchFormat } from '../source-wire.ts'
import { fetchList } from './fetch-list.ts'
import {
  endFetch,
  type FetchEnd,
  type LeasedSource,
  leaseDueSource,
  leaseSource,
} from './source-fetch-store.ts'

export interface FetchOptions {
  /** True accepts a list that has less than half as many entries as the source has now. */
  readonly mayShrink: boolean
  readonly signal: AbortSignal
}

export type FetchOutcome =
  | {
      readonly outcome: 'replaced'
      readonly accepted: number
      readonly removed: number
      /** Number of lines that cannot be read, and the first of them. */
      readonly refused: number
      readonly firstRefusal: string | null
    }
  | { readonly outcome: 'unchanged' }
  /** Nothing was changed; `trouble` says why in one sentence. */
  | { readonly outcome: 'failed'; readonly trouble: string }

export interface SourceFetcherDeps {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly clock: Clock
  readonly log: Log
  readonly readPush: ReadPushBody
  readonly replaceList: ReplaceList
  /** Called before the first fetch. */
  readonly openOutbound: () => Outbound
}

/** Fetches published lists for one thread. */
export class SourceFetcher {
  readonly #deps: SourceFetcherDeps
  #outbound: Outbound | null = null

  constructor(deps: SourceFetcherDeps) {
    this.#deps = deps
  }

  /** Fetches one source that is due. False when there was none. */
  async fetchDue(signal: AbortSignal): Promise<boolean> {
    const { database, clock, log } = this.#deps
    const source = await leaseDueSource(database.kysely, clock.nowMs())
    if (source === null) return false
    const result = await this.#fetchLeased(source, { mayShrink: false, signal })
    if (result.outcome === 'failed') {
      const { kind, name } = source
      log.warn('A source could not be fetched', { kind, name, trouble: result.trouble })
    }
    return true
  }

  /** Fetches this source now. Null when another request or node is fetching it. */
  async fetchNow(id: number, options: FetchOptions): Promise<FetchOutcome | null> {
    const { database } = this.#deps
    const source = await leaseSource(database.kysely, id)
    return source === null ? null : await this.#fetchLeased(source, options)
  }

  async #fetchLeased(source: LeasedSource, options: FetchOptions): Promise<FetchOutcome> {
    const { database, clock } = this.#deps
    let end: FetchEnd = { trouble: 'The fetch broke off.' }
    try {
      const { result, validators } = await this.#fetchAndReplace(source, options)
      const trouble = result.outcome === 'failed' ? result.trouble : null
      end = { trouble, ...(validators === undefined ? {} : { validators }) }
      return result
    } catch (error) {
      // A refusal of the list, such as a wrong format. A fault of our own is thrown on, to the log.
      if (!(error instanceof OperatingError) || error.status >= 500) throw error
      end = { trouble: error.publicMessage }
      return { outcome: 'failed', trouble: error.publicMessage }
    } finally {
      await endFetch(database.kysely, source, end, clock.nowMs())
    }
  }

  async #fetchAndReplace(
    source: LeasedSource,
    options: FetchOptions,
  ): Promise<{ readonly result: FetchOutcome; readonly validators?: FetchEnd['validators'] }> {
    const { format } = source
    if (!isFetchFormat(format)) return failed(`The format ${format} is not known here.`)
    const fetched = await fetchList(this.#client(), source, options.signal)
    if (fetched.kind === 'failed') return failed(fetched.trouble)
    const db = this.#deps.database.kysely
    if (fetched.kind === 'unchanged') {
      await noteHeard(db, [source])
      return { result: { outcome: 'unchanged' } }
    }
    const result = await this.#replace(source, format, fetched.body, options.mayShrink)
    if (result.outcome === 'failed') return { result }
    return { result, validators: { etag: fetched.etag, lastModified: fetched.lastModified } }
  }

  async #replace(
    source: LeasedSource,
    format: FetchFormat,
    body: Buffer,
    mayShrink: boolean,
  ): Promise<FetchOutcome> {
    const { database, readPush, replaceList } = this.#deps
    const table = tableOf(source.kind)
    const { name } = source
    const members = membersOf(table, source.entryName)
    const counts: ReadCounts = { refused: 0, firstRefusal: null }
    const rows = Readable.from(readFetchedList(body, { format, members }, counts))
    const form = { kind: 'entries', table, source: name } as const
    const { accepted, rejected, staged } = await readPush(rows, form)
    const refused = counts.refused + rejected.length
    const firstRefusal = counts.firstRefusal ?? rejected[0]?.reason ?? null
    if (refused > accepted) {
      const trouble = `Most of its lines cannot be read, so this is another format; ${firstRefusal}`
      return { outcome: 'failed', trouble }
    }
    if (accepted === 0 && !mayShrink) {
      const trouble =
        'Nothing was changed: the list is empty; if that is right, fetch it with allowShrink=true.'
      return { outcome: 'failed', trouble }
    }
    // The source was deleted during the download: its entries must not come back.
    if ((await findSource(database.kysely, source))?.id !== source.id) {
      return { outcome: 'failed', trouble: 'The source was deleted.' }
    }
    const replaced = await replaceList({ table, source: name, staged, mayShrink })
    if (replaced.kind === 'shrank') throw sourceShrank(replaced.before, replaced.after)
    await noteHeard(database.kysely, [source])
    return { outcome: 'replaced', accepted, removed: replaced.removed, refused, firstRefusal }
  }

  #client(): Outbound {
    this.#outbound ??= this.#deps.openOutbound()
    return this.#outbound
  }
}

function tableOf(kind: string): StagedTable {
  switch (kind) {
    case STATEMENT_SOURCE_KINDS.tagging:
      return 'tagging'
    case STATEMENT_SOURCE_KINDS.allowance:
      return 'allowance'
    case NETWORK_SOURCE_KIND:
      return 'network'
    default:
      return 'listing'
  }
}

/** The members that each row of the list gets. */
function membersOf(table: StagedTable, name: string): object {
  if (table === 'network') return {}
  return table === 'tagging' ? { tag: name } : { list: name }
}

function failed(trouble: string): { readonly result: FetchOutcome } {
  return { result: { outcome: 'failed', trouble } }
}
