// Collects the e-mail addresses that look-ups show and stores them from time to time, so that they
// are tested. A look-up pays for one search in a set.

import { every } from '../../../kernel/async/every.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Log } from '../../../kernel/log.ts'
import { noteShownContacts } from '../contact-check-store.ts'

export interface ShownContacts {
  readonly note: (email: string) => void
  /**
   * Stores the noted addresses. Rejects when the database does not answer; the addresses are then
   * stored later.
   */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

const FLUSH_MS = 10_000
// Only the day on which an address was shown matters.
const FORGET_MS = 24 * 60 * 60_000
// Further addresses of the day are not noted; a frequent one comes again tomorrow.
const EMAILS_MAX = 50_000
const FLUSHED_AT_ONCE = 1_000

export function openShownContacts(db: Db, clock: Clock, log: Log): ShownContacts {
  let noted = new Set<string>()
  const pending = new Set<string>()
  let notedSinceMs = clock.nowMs()
  const flush = async (): Promise<void> => {
    if (clock.nowMs() - notedSinceMs >= FORGET_MS) {
      noted = new Set(pending)
      notedSinceMs = clock.nowMs()
    }
    // At most EMAILS_MAX / FLUSHED_AT_ONCE rounds.
    while (pending.size > 0) {
      const emails = [...pending].slice(0, FLUSHED_AT_ONCE)
      // oxlint-disable-next-line eslint/no-await-in-loop
      await noteShownContacts(db, emails, clock.nowMs())
      for (const email of emails) pending.delete(email)
    }
  }
  const reportTrouble = (error: unknown): void =>
    log.debug('Shown abuse contacts could not be noted', { error: String(error) })
  const stop = every(FLUSH_MS, flush, reportTrouble)
  return {
    note(email) {
      if (noted.has(email) || noted.size >= EMAILS_MAX) return
      noted.add(email)
      pending.add(email)
    },
    flush,
    async close() {
      await stop()
      await flush().catch(reportTrouble)
    },
  }
}
