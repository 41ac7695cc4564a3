// Keeps the copies of a node fresh with one statement twice a second, whatever the number of its
// threads: the first thread asks, and tells the others. A push and a revocation show on every node
// within a second, and a hundred nodes are no burden.

import { BroadcastChannel } from 'node:worker_threads'
import { type DueQuestion, startDueCarrier } from '../kernel/db/due-poll.ts'
import { asPoll } from '../kernel/db/statement-limit.ts'
import type { LookupServices } from './compose.ts'
import { type FollowedSerials, readSerialsAndDue } from './followed-serial-store.ts'
import type { Foundation } from './foundation.ts'
import type { Intel } from './open-intel.ts'

const CHANNEL = 'casework copies'

interface Told {
  readonly serials: FollowedSerials
  readonly ageMs: number
}

type FollowerServices = Pick<LookupServices, 'tokens'> & {
  /** A look-up node knows no own networks. */
  readonly intel: LookupServices['intel'] & Partial<Pick<Intel, 'networks'>>
  readonly foundation: Pick<Foundation, 'database' | 'log'>
}

/**
 * Asks at once, and then until it is closed. A database that does not answer is asked again; the
 * copies grow older meanwhile.
 */
export async function followDatabase(services: FollowerServices): Promise<() => Promise<void>> {
  const { log, database } = services.foundation
  const { index } = services.intel
  const channel = new BroadcastChannel(CHANNEL)
  // It must not keep a process whose start fails from ending.
  channel.unref()
  const age = createAge()
  let isAway = false
  const ask = async (questions: readonly DueQuestion[]) => {
    const ownSerial = index.state().serial
    const askedAtMs = performance.now()
    const { answer: serials, due } = await asPoll(() =>
      readSerialsAndDue(database.kysely, ownSerial, questions),
    )
    return { answer: { serials, ageMs: age.note(serials.behindMs, askedAtMs) }, due }
  }
  const work = async (told: Told): Promise<void> => {
    // The rule is about browser windows; a channel has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage(told)
    await follow(services, told)
    if (isAway) log.info('The copies of tokens and intel data are kept fresh again')
    isAway = false
  }
  const onTrouble = (error: unknown): void => {
    if (!isAway) {
      log.warn('The copies of tokens and intel data cannot be kept fresh for now', {
        error: String(error),
      })
    }
    isAway = true
  }
  await work((await ask([])).answer)
  const stop = startDueCarrier(database.kysely, { ask, work, onTrouble })
  return async () => {
    await stop()
    channel.close()
  }
}

/** In another thread: follows what the first one was told. */
export function followThread(services: FollowerServices): () => Promise<void> {
  const { log } = services.foundation
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', (event) => {
    // followDatabase sends this value.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const told = (event as unknown as { readonly data: Told }).data
    follow(services, told).catch((error: unknown) => {
      log.debug('A thread could not follow', { error: String(error) })
    })
  })
  // It must not keep the thread from ending.
  channel.unref()
  return async () => channel.close()
}

async function follow(
  { tokens, intel, foundation }: FollowerServices,
  { serials, ageMs }: Told,
): Promise<void> {
  // Reading many contacts takes seconds, and a revoked token must not live as long.
  intel.enrichment.followContacts(serials.contacts).catch((error: unknown) => {
    foundation.log.debug('Abuse contacts could not be refreshed', { error: String(error) })
  })
  await Promise.all([
    tokens.follow({ serial: serials.tokenSerial, ageMs }),
    intel.index.follow({ ...serials.intel, ageMs }),
    intel.networks?.follow(serials.networkSerial),
  ])
}

/**
 * The age of the data by what the server says of itself. A standby without its primary tells when
 * the last commit was; the time when it was last known to have everything may be later.
 */
export function createAge(): {
  readonly note: (behindMs: number | null, nowMs: number) => number
} {
  let asOfMs = Number.NEGATIVE_INFINITY
  return {
    note(behindMs, nowMs) {
      asOfMs = Math.max(asOfMs, nowMs - (behindMs ?? 0))
      return nowMs - asOfMs
    },
  }
}
