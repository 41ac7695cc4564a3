// The imported abuse contacts and the verdicts of their tests in memory, refreshed from the
// database. They are read page by page, so that reading 500,000 of them delays no look-up.

import type { Db } from '../../kernel/db/database.ts'
import { asPoll } from '../../kernel/db/statement-limit.ts'
import type { Log } from '../../kernel/log.ts'
import type { Item } from '../../values/item.ts'
import { type ContactVerdict, listVerdicts } from './contact-check-store.ts'
import { ContactIndex } from './contact-index.ts'
import {
  type ContactSerials,
  countContacts,
  readContactSerials,
  readContacts,
} from './contact-store.ts'

export interface ContactDirectory {
  /** The imported abuse contact of the item, or null. */
  readonly find: (item: Item) => string | null
  /** Undefined for an address that was never tested. */
  readonly findVerdict: (email: string) => ContactVerdict | undefined
  readonly size: () => number
  /** True when there are more contacts than fit in memory; the rest is not used. */
  readonly isFull: () => boolean
  /** Reads changes at once, without a pause; rejects when the database does not answer. */
  readonly refresh: () => Promise<void>
  /** The same for the poll (app/follow-database.ts), which has read the serials; with a pause. */
  readonly follow: (newest: ContactSerials) => Promise<void>
  readonly close: () => Promise<void>
}

export interface ContactDirectoryOptions {
  readonly db: Db
  readonly log: Log
  /** Contacts in memory; 500,000 unless a test says otherwise. */
  readonly contactsMax?: number
}

// Some 75 bytes a contact, in every thread.
const CONTACTS_MAX = 500_000
// Every change reads all contacts again. The next reading waits ten times as long as the last one
// took, so that many small changes cost a tenth of a core at most.
const REST_FACTOR = 10
const REST_MAX_MS = 60_000

/** Reads everything once. `follow` keeps it fresh. */
export async function openContactDirectory(
  options: ContactDirectoryOptions,
): Promise<ContactDirectory> {
  const { db, log, contactsMax = CONTACTS_MAX } = options
  const verdicts = new Map<string, ContactVerdict>()
  let index = new ContactIndex()
  let isFull = false
  let seen: ContactSerials = { serial: -1, checkSerial: 0 }
  let restUntilMs = 0

  const readAnew = async (): Promise<void> => {
    const startedMs = performance.now()
    const next = new ContactIndex(await countContacts(db, contactsMax))
    let isNextFull = false
    await readContacts(db, (page) => {
      isNextFull = next.size() + page.length > contactsMax
      for (const contact of page.slice(0, contactsMax - next.size())) next.add(contact)
      return !isNextFull
    })
    index = next
    if (isNextFull && !isFull) {
      log.warn('There are more abuse contacts than are held; the rest is not used', { contactsMax })
    }
    isFull = isNextFull
    const tookMs = performance.now() - startedMs
    restUntilMs = performance.now() + Math.min(tookMs * REST_FACTOR, REST_MAX_MS)
  }
  /** `polled` are serials that the poll has read, which may wait for the end of a rest. */
  const readNews = async (polled: ContactSerials | null): Promise<void> => {
    const newest = polled ?? (await asPoll(() => readContactSerials(db)))
    if (newest.checkSerial !== seen.checkSerial) {
      for await (const page of listVerdicts(db, seen.checkSerial)) {
        for (const verdict of page) verdicts.set(verdict.email, verdict)
      }
      seen = { ...seen, checkSerial: newest.checkSerial }
    }
    const mayRest = polled !== null
    if (newest.serial === seen.serial || (mayRest && performance.now() < restUntilMs)) return
    await readAnew()
    seen = { ...seen, serial: newest.serial }
  }
  // One reading at a time, so that an older one cannot overwrite a newer one.
  let last: Promise<void> = Promise.resolve()
  const inTurn = (polled: ContactSerials | null): Promise<void> => {
    const reading = last.then(() => readNews(polled))
    last = reading.catch(() => undefined)
    return reading
  }
  await inTurn(null)
  return {
    find: (item) => index.find(item),
    findVerdict: (email) => verdicts.get(email),
    size: () => index.size(),
    isFull: () => isFull,
    refresh: () => inTurn(null),
    follow: (newest) => inTurn(newest),
    async close() {
      await last
    },
  }
}
