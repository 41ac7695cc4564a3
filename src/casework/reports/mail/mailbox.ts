// Pulls report mail from an IMAP mailbox (RFC 9051). A mail is stored first and marked or moved
// afterwards, so a crash in between brings it a second time, and its events are then known by their
// fingerprints. One node at a time pulls, by a lease in the database.

import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../../kernel/config.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { ReadinessFinding } from '../../../kernel/readiness.ts'
import type { MailIntake } from './keep-mail.ts'
import { holdMailbox, releaseMailbox } from './mailbox-lease-store.ts'
import { type MailboxPlace, readMailboxPlace } from './mailbox-location.ts'
import { openMailboxSession } from './mailbox-session.ts'

export interface Mailbox {
  readonly check: () => ReadinessFinding
  /** Finishes the mail under way. */
  readonly close: () => Promise<void>
}

export interface MailboxOptions {
  /** Certificate authorities in PEM to trust instead of the system's. */
  readonly authorities?: string
  readonly bytesMax?: number
  /** The longest pause before it is tried again; a minute unless told. */
  readonly pauseMaxMs?: number
  readonly leaseSeconds?: number
}

// Another node takes over when this one has been silent for so long.
const LEASE_SECONDS = 30
// So that one renewal may fail.
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
 * Null without CASEWORK_IMAP_URL. Throws the operating error of unusable settings. Pulls in the
 * background from now on.
 */
export function startMailbox(
  deps: MailboxDeps,
  intake: MailIntake,
  options: MailboxOptions = {},
): Mailbox | null {
  const place = readMailboxPlace(deps.config)
  if (place === null) return null
  const stopping = new AbortController()
  const status = new Status(place)
  const running = pullAgainAndAgain(deps, intake, place, options, status, stopping.signal)
  return {
    check: () => status.describe(),
    async close() {
      stopping.abort()
      await running
    },
  }
}

/** What an operator is told of the mailbox. */
class Status {
  readonly #name: string
  #finding: ReadinessFinding

  constructor(place: MailboxPlace) {
    this.#name = place.name
    this.#finding = { state: 'degraded', detail: `The mailbox ${place.name} is being opened.` }
  }

  describe(): ReadinessFinding {
    return this.#finding
  }

  isPulled(): void {
    this.#finding = { state: 'ok', detail: `Reports are pulled from the mailbox ${this.#name}.` }
  }

  isHeldElsewhere(): void {
    const detail = `Another node pulls the mailbox ${this.#name}.`
    this.#finding = { state: 'ok', detail }
  }

  hasTrouble(reason: string): void {
    const detail = `The mailbox ${this.#name} cannot be pulled (${reason}); it is tried again every minute at least.`
    this.#finding = { state: 'degraded', detail }
  }
}

/** Never rejects; ends when `stop` aborts. */
async function pullAgainAndAgain(
  { config, db, ids, log }: MailboxDeps,
  intake: MailIntake,
  place: MailboxPlace,
  options: MailboxOptions,
  status: Status,
  stop: AbortSignal,
): Promise<void> {
  const { pauseMaxMs = PAUSE_MAX_MS, leaseSeconds = LEASE_SECONDS } = options
  const renewMs = (leaseSeconds * 1_000) / RENEWALS
  const holder = ids.nextUuid()
  const hold = (): Promise<boolean> => holdMailbox(db, place.name, holder, leaseSeconds)
  let pauseMs = PAUSE_MIN_MS
  while (!stop.aborted) {
    try {
      // One after the other is the point here.
      // oxlint-disable eslint/no-await-in-loop
      if (await hold()) {
        await pullWhileHeld(hold, renewMs, stop, async (signal) => {
          const limits = { bytesMax: options.bytesMax ?? config.mailSizeLimit }
          const session = await openMailboxSession(place, { ...options, ...limits }, signal)
          status.isPulled()
          pauseMs = PAUSE_MIN_MS
          await session.pull(intake, signal)
        })
      } else {
        status.isHeldElsewhere()
        pauseMs = Math.min(renewMs, pauseMaxMs)
      }
    } catch (error) {
      if (stop.aborted) break
      status.hasTrouble(error instanceof Error ? error.message : String(error))
      log.warn('The mailbox could not be pulled', { mailbox: place.name, error: String(error) })
      pauseMs = Math.min(pauseMs * 2, pauseMaxMs)
    }
    await delay(pauseMs, undefined, { signal: stop, ref: false }).catch(() => undefined)
    // oxlint-enable eslint/no-await-in-loop
  }
  await releaseMailbox(db, place.name, holder).catch(() => undefined)
}

/**
 * Runs `work` while the lease is renewed; when it is lost, or at the stop, the signal of `work`
 * aborts.
 */
async function pullWhileHeld(
  hold: () => Promise<boolean>,
  renewMs: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const renew = async (): Promise<void> => {
    try {
      if (!(await hold())) lost.abort(new Error('another node has it now'))
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
