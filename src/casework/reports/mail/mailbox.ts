// Pulls report mail from an IMAP mailbox (RFC 9051). A mail is stored first and marked or moved
// afterwards. After a crash in between it is pulled a second time, and its events are duplicates by
// their fingerprints. A lease in the database lets one node at a time pull.

import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../../kernel/config.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { ReadinessFinding } from '../../../kernel/readiness.ts'
import type { MailIngest } from './keep-mail.ts'
import { leaseMailbox, releaseMailbox } from './mailbox-lease-store.ts'
import { type MailboxLocation, readMailboxLocation } from './mailbox-location.ts'
import { openMailboxSession } from './mailbox-session.ts'

export interface Mailbox {
  readonly check: () => ReadinessFinding
  /** Finishes the mail in progress. */
  readonly close: () => Promise<void>
}

export interface MailboxOptions {
  /** Certificate authorities in PEM to trust instead of the system's. */
  readonly authorities?: string
  readonly bytesMax?: number
  /** The longest pause before a retry; a minute by default. */
  readonly pauseMaxMs?: number
  readonly leaseSeconds?: number
}

// Another node takes over when this node has not renewed its lease for this long.
const LEASE_SECONDS = 30
// Renewals in one lease time. The first that fails ends the pull, well before another node may take
// over.
const RENEWALS = 3
const PAUSE_MIN_MS = 1_000
const PAUSE_MAX_MS = 60_000

export interface MailboxDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly config: Config
  readonly log: Log
}

/**
 * Pulls in the background until it is closed. Null without CASEWORK_IMAP_URL. Throws
 * settingsNotUsable.
 */
export function startMailbox(
  deps: MailboxDeps,
  intake: MailIngest,
  options: MailboxOptions = {},
): Mailbox | null {
  const location = readMailboxLocation(deps.config)
  if (location === null) return null
  const stopping = new AbortController()
  const status = new Status(location)
  const running = pullRepeatedly(deps, intake, location, options, status, stopping.signal)
  return {
    check: () => status.describe(),
    async close() {
      stopping.abort()
      await running
    },
  }
}

/** The readiness finding of the mailbox. */
class Status {
  readonly #name: string
  #finding: ReadinessFinding

  constructor(location: MailboxLocation) {
    this.#name = location.name
    this.#finding = { state: 'degraded', detail: `The mailbox ${location.name} is being opened.` }
  }

  describe(): ReadinessFinding {
    return this.#finding
  }

  isPulled(): void {
    this.#finding = { state: 'ok', detail: `Reports are pulled from the mailbox ${this.#name}.` }
  }

  isLeasedElsewhere(): void {
    const detail = `Another node pulls the mailbox ${this.#name}.`
    this.#finding = { state: 'ok', detail }
  }

  hasTrouble(reason: string): void {
    const detail = `The mailbox ${this.#name} cannot be pulled (${reason}); it is tried again every minute at least.`
    this.#finding = { state: 'degraded', detail }
  }
}

/** Resolves when `stop` aborts. Never rejects. */
async function pullRepeatedly(
  { config, db, ids, log }: MailboxDeps,
  intake: MailIngest,
  location: MailboxLocation,
  options: MailboxOptions,
  status: Status,
  stop: AbortSignal,
): Promise<void> {
  const { pauseMaxMs = PAUSE_MAX_MS, leaseSeconds = LEASE_SECONDS } = options
  const renewMs = (leaseSeconds * 1_000) / RENEWALS
  const holder = ids.nextUuid()
  const renewLease = (): Promise<boolean> => leaseMailbox(db, location.name, holder, leaseSeconds)
  let pauseMs = PAUSE_MIN_MS
  while (!stop.aborted) {
    try {
      // The sessions run one after the other.
      // oxlint-disable eslint/no-await-in-loop
      if (await renewLease()) {
        await pullWhileLeased(renewLease, renewMs, stop, async (signal) => {
          const limits = { bytesMax: options.bytesMax ?? config.mailSizeLimit }
          const session = await openMailboxSession(location, { ...options, ...limits }, signal)
          status.isPulled()
          pauseMs = PAUSE_MIN_MS
          await session.pull(intake, signal)
        })
      } else {
        status.isLeasedElsewhere()
        pauseMs = Math.min(renewMs, pauseMaxMs)
      }
    } catch (error) {
      if (stop.aborted) break
      status.hasTrouble(error instanceof Error ? error.message : String(error))
      log.warn('The mailbox could not be pulled', { mailbox: location.name, error: String(error) })
      pauseMs = Math.min(pauseMs * 2, pauseMaxMs)
    }
    await delay(pauseMs, undefined, { signal: stop, ref: false }).catch(() => undefined)
    // oxlint-enable eslint/no-await-in-loop
  }
  await releaseMailbox(db, location.name, holder).catch(() => undefined)
}

/**
 * Runs `work` and renews the lease meanwhile. The signal of `work` aborts when the lease is lost
 * and at the stop.
 */
async function pullWhileLeased(
  renewLease: () => Promise<boolean>,
  renewMs: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const renew = async (): Promise<void> => {
    try {
      if (!(await renewLease())) lost.abort(new Error('another node has the lease of the mailbox'))
    } catch (error) {
      lost.abort(error)
    }
  }
  const timer = setInterval(() => void renew(), renewMs)
  try {
    await work(AbortSignal.any([lost.signal, stop]))
  } finally {
    clearInterval(timer)
  }
}
