// Finds the host of DATABASE_URL that serves now, among several. With one host there is nothing to
// find, and every connection goes there.

import { Client } from 'pg'
import type { DatabaseHost, DatabaseTarget } from './database-hosts.ts'
import { findConnectionReason, readErrorCode } from './trouble-codes.ts'

export interface HostFinder {
  /** Rejects with `NoHostServes` when none of several does. */
  readonly find: () => Promise<DatabaseHost>
}

/** What was tried, host by host. `code` is that of the trouble that they have in common. */
export class NoHostServes extends Error {
  readonly code: string

  constructor(attempts: readonly Attempt[]) {
    super(attempts.map(({ host, reason }) => `${host.name}: ${reason}`).join('; '))
    this.name = 'NoHostServes'
    const codes = new Set(attempts.map(({ code }) => code))
    const [code] = codes
    this.code = codes.size === 1 && typeof code === 'string' ? code : 'EHOSTUNREACH'
  }
}

interface Attempt {
  readonly host: DatabaseHost
  readonly code: string | null
  readonly reason: string
}

// A host that is not there must not use up the time that a request waits for a connection.
export const HOST_TIMEOUT_MS = 1_500
const GOODBYE_MS = 1_000
const READ_ONLY = '25006'

/**
 * Asks one host after the other, as libpq does, beginning with the one that served last. Callers at
 * the same time share one search.
 */
export function createHostFinder(target: DatabaseTarget): HostFinder {
  const [only, ...others] = target.hosts
  if (only === undefined) throw new Error('a target has at least one host')
  if (others.length === 0) return { find: async () => only }
  let last = only
  let searching: Promise<DatabaseHost> | null = null
  const search = async (): Promise<DatabaseHost> => {
    const attempts: Attempt[] = []
    for (const host of [last, ...target.hosts.filter((one) => one !== last)]) {
      // One after the other, so that the order of the list counts.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const attempt = await tryHost(target, host)
      if (attempt === null) {
        last = host
        return host
      }
      attempts.push(attempt)
    }
    throw new NoHostServes(attempts)
  }
  return {
    find() {
      searching ??= search().finally(() => {
        searching = null
      })
      return searching
    },
  }
}

/** Null when the host serves. */
async function tryHost(target: DatabaseTarget, host: DatabaseHost): Promise<Attempt | null> {
  const client = openBriefClient(target, host, HOST_TIMEOUT_MS)
  try {
    await client.connect()
    if (!target.mustTakeWrites || (await takesWrites(client))) return null
    return { host, code: READ_ONLY, reason: 'it takes no writes' }
  } catch (error) {
    const reason = findConnectionReason(error) ?? (error instanceof Error ? error.message : 'error')
    return { host, code: readErrorCode(error), reason }
  } finally {
    closeBriefClient(client)
  }
}

/** A client of one host for one question; close it with `closeBriefClient`. */
export function openBriefClient(
  target: DatabaseTarget,
  { host, port }: DatabaseHost,
  timeoutMs: number,
): Client {
  const client = new Client({
    ...target.settings,
    application_name: 'casework',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // A connection that breaks shows in its question.
  client.on('error', () => undefined)
  // The driver reads them when it connects; its parser knows the first host only.
  Object.assign(client, { host, port })
  return client
}

/** Says goodbye where it is heard, and waits for nothing. */
export function closeBriefClient(client: Client): void {
  const { stream } = client.connection
  const cut = setTimeout(() => stream.destroy(), GOODBYE_MS)
  cut.unref()
  void client.end().finally(() => clearTimeout(cut))
}

async function takesWrites(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ is_read_only: boolean }>(
    `select current_setting('transaction_read_only') = 'on' as is_read_only`,
  )
  return rows[0]?.is_read_only === false
}
