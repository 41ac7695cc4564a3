// The open streams of one HTTP thread. One poll asks for the tenants of all of them together and
// reads each new message once, so a hundred idle streams cost what one does.

import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Counter, Gauge, type Registry } from 'prom-client'
import { every } from '../../../kernel/async/every.ts'
import { createQuota } from '../../../kernel/async/quota.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { workOrPassOver } from '../../../kernel/db/pass-over-tenant.ts'
import { asPoll } from '../../../kernel/db/statement-limit.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Caller } from '../../../vocabulary/caller.ts'
import { tooManyStreams } from '../errors.ts'
import {
  type EndReason,
  isShown,
  type StreamFilter,
  type StreamMessage,
  writeEnd,
  writeHeartbeat,
  writeMessage,
  writeOpening,
  writeReset,
} from './stream-message.ts'
import { findStreamHeads, listStreamMessages, openStreamHead } from './stream-store.ts'

// A revocation reaches this thread's tokens within 500 ms (token-directory.ts), a stream within
// another 250.
const CHECK_MS = 250
const POLL_MS = 500
// Proxies close a silent connection after some 60 s, this server after 75 s.
// Every 15 s.
const CHECKS_A_HEARTBEAT = 60
const RETRY_MS = 2_000
const READ_CHECK_MS = 50
const PAGE = 500
// 4,000 messages; a slow poll must not keep the other tenants.
const PAGES_A_POLL = 8
// Some 1,500 messages.
const WAITING_BYTES_MAX = 256 * 1_024

export interface StreamBounds {
  readonly streamsMax: number
  readonly perTokenMax: number
  readonly perAddressMax: number
}

/** The bounds of a process; each HTTP thread has its share. */
export function shareStreamBounds(threads: number): StreamBounds {
  const shareOf = (limit: number): number => Math.ceil(limit / threads)
  return {
    streamsMax: shareOf(1_000),
    perTokenMax: shareOf(20),
    perAddressMax: shareOf(100),
  }
}

interface StreamRequest {
  readonly caller: Caller
  /** The caller as the token is now; null when it was revoked or has expired. */
  readonly findCaller: () => Caller | null
  /** Whose bound it counts against. */
  readonly address: string
  readonly filter: StreamFilter
  /** The last message that the client has; null for those from now on. */
  readonly after: number | null
}

export interface StreamHub {
  /** Throws the operating error of 429. */
  readonly open: (request: StreamRequest) => Promise<OpenStream>
  readonly close: () => Promise<void>
}

interface OpenStream {
  readonly readable: Readable
  readonly end: (reason: EndReason) => void
}

export interface StreamHubDeps {
  readonly db: Db
  readonly log: Log
  readonly metrics: Registry
  readonly bounds: StreamBounds
}

/** The streams of one tenant: each new message is read once for them. */
interface TenantStreams {
  /** Read up to this serial. */
  serial: number
  readonly members: Set<Member>
}

export function createStreamHub({ db, log, metrics, bounds }: StreamHubDeps): StreamHub {
  const counts = createStreamMetrics(metrics)
  const tenants = new Map<string, TenantStreams>()
  const byToken = createQuota({ max: bounds.streamsMax, keyMax: bounds.perTokenMax })
  const byAddress = createQuota({ max: bounds.streamsMax, keyMax: bounds.perAddressMax })

  const takeShare = ({ caller, address }: StreamRequest): (() => void) => {
    const shares = [byToken.open(caller.tokenId), byAddress.open(address)]
    const giveBack = (): void => {
      for (const share of shares) share.giveBack()
    }
    if (shares.every((share) => share.take(1))) return giveBack
    giveBack()
    throw tooManyStreams()
  }
  const leave = (member: Member): void => {
    const { tenantId } = member
    const streams = tenants.get(tenantId)
    streams?.members.delete(member)
    if (streams?.members.size === 0) tenants.delete(tenantId)
  }
  const pollTenant = async (tenantId: string, streams: TenantStreams): Promise<void> => {
    for (let page = 0; page < PAGES_A_POLL; page += 1) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      const messages = await listStreamMessages(db, { tenantId }, streams.serial, PAGE)
      const last = messages.at(-1)
      if (last === undefined) return
      // Without a wait in between: a stream that has caught up with the serial misses nothing.
      streams.serial = last.serial
      for (const member of streams.members) member.sendLive(messages)
      if (messages.length < PAGE) return
    }
  }
  const poll = async (): Promise<void> => {
    if (tenants.size === 0) return
    const heads = await inInstance('find news of streams', () =>
      findStreamHeads(db, [...tenants.keys()]),
    )
    for (const head of heads) {
      const { tenantId, keptFrom } = head
      const streams = tenants.get(tenantId)
      if (streams === undefined) continue
      for (const member of streams.members) member.resetBefore(keptFrom)
      // One tenant after the other: they share the connections.
      // oxlint-disable-next-line eslint/no-await-in-loop
      await workOrPassOver(
        log,
        head,
        'The change stream of a tenant could not be read',
        async () => {
          if (head.isAging) await openStreamHead(db, { tenantId })
          if (head.serial > streams.serial) await pollTenant(tenantId, streams)
        },
      )
    }
  }
  const stopPolling = every(
    POLL_MS,
    () => asPoll(poll),
    (error) => log.warn('The change stream could not be read', { error: String(error) }),
  )
  let checks = 0
  const stopChecking = every(
    CHECK_MS,
    async () => {
      checks += 1
      for (const { members } of tenants.values()) {
        for (const member of members) member.check(checks % CHECKS_A_HEARTBEAT === 0)
      }
    },
    (error) => log.warn('Streams could not be checked', { error: String(error) }),
  )
  /** Reads what the client missed, as fast as it takes it, until the live messages follow. */
  const catchUp = async (member: Member, streams: TenantStreams): Promise<void> => {
    while (!member.isOver && member.serial < streams.serial) {
      // oxlint-disable eslint/no-await-in-loop
      await member.whenRead()
      member.sendMissed(await listStreamMessages(db, member, member.serial, PAGE), streams.serial)
      // oxlint-enable eslint/no-await-in-loop
    }
    member.goLive()
  }
  return {
    async open(request) {
      const giveBack = takeShare(request)
      try {
        const { tenantId } = request.caller
        const head = await openStreamHead(db, { tenantId })
        const member = new Member(request, counts, (ended) => {
          leave(ended)
          giveBack()
        })
        const isKnown =
          request.after === null || (request.after >= head.keptFrom && request.after <= head.serial)
        const streams = tenants.get(tenantId) ?? { serial: head.serial, members: new Set() }
        tenants.set(tenantId, streams)
        streams.members.add(member)
        // The tenant may have been read further since its head was.
        const newest = Math.max(head.serial, streams.serial)
        member.begin(isKnown ? (request.after ?? newest) : null, newest)
        void catchUp(member, streams).catch((error: unknown) => {
          log.warn('A stream could not be read', { error: String(error) })
          member.end('failed')
        })
        return member
      } catch (error) {
        giveBack()
        throw error
      }
    },
    async close() {
      await Promise.all([stopPolling(), stopChecking()])
      for (const { members } of tenants.values()) {
        for (const member of members) member.end('shutdown')
      }
    },
  }
}

interface StreamMetrics {
  readonly open: Gauge
  readonly messages: Counter
  readonly ended: Counter<'reason'>
}

function createStreamMetrics(metrics: Registry): StreamMetrics {
  const registers = [metrics]
  return {
    open: new Gauge({
      name: 'casework_streams_open',
      help: 'Open streams of changes.',
      registers,
    }),
    messages: new Counter({
      name: 'casework_stream_messages_total',
      help: 'Messages written to streams of changes.',
      registers,
    }),
    ended: new Counter({
      name: 'casework_streams_ended_total',
      help: 'Streams of changes that ended, by reason: left by the client, revoked, shutdown, slow or failed.',
      labelNames: ['reason'] as const,
      registers,
    }),
  }
}

/** One open stream. */
class Member implements OpenStream {
  readonly tenantId: string
  readonly readable: Readable
  readonly #request: StreamRequest
  readonly #counts: StreamMetrics
  readonly #onEnd: (member: Member) => void
  #caller: Caller
  #serial = 0
  #isOver = false
  #isLive = false

  constructor(request: StreamRequest, counts: StreamMetrics, onEnd: (member: Member) => void) {
    this.#request = request
    this.#counts = counts
    this.#onEnd = onEnd
    this.#caller = request.caller
    this.tenantId = request.caller.tenantId
    this.readable = new Readable({ read: () => undefined })
    this.readable.once('close', () => this.#finish('left'))
    counts.open.inc()
  }

  /** Messages up to this serial were sent, or are not for this stream. */
  get serial(): number {
    return this.#serial
  }

  /** `after`: null when the messages that the client misses are no longer all there. */
  begin(after: number | null, newest: number): void {
    this.#serial = after ?? newest
    this.#write(writeOpening(this.#serial, RETRY_MS))
    if (after === null) this.#write(writeReset(newest))
  }

  /** Messages that the client has not got were removed: it is slower than a day. */
  resetBefore(keptFrom: number): void {
    if (!this.#isLive || this.#serial >= keptFrom) return
    this.#serial = keptFrom
    this.#write(writeReset(keptFrom))
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Live messages; a stream that is still catching up reads them itself. */
  sendLive(messages: readonly StreamMessage[]): void {
    if (this.#isLive) this.#sendAll(messages)
  }

  /** The next messages after its serial, up to `newest`. */
  sendMissed(messages: readonly StreamMessage[], newest: number): void {
    const [first] = messages
    if (first === undefined) this.#serial = Math.max(this.#serial, newest)
    // Some were removed meanwhile: the client is slower than a day.
    else if (first.serial > this.#serial + 1) this.#write(writeReset(first.serial - 1))
    this.#sendAll(messages)
  }

  goLive(): void {
    this.#isLive = true
  }

  /** Resolves when the client has taken most of what was written, or the stream is over. */
  async whenRead(): Promise<void> {
    while (!this.#isOver && this.readable.readableLength > WAITING_BYTES_MAX / 4) {
      // oxlint-disable-next-line eslint/no-await-in-loop
      await delay(READ_CHECK_MS, undefined, { ref: false })
    }
  }

  #sendAll(messages: readonly StreamMessage[]): void {
    const { filter } = this.#request
    for (const message of messages) {
      if (this.#isOver) return
      if (message.serial <= this.#serial) continue
      this.#serial = message.serial
      if (!isShown(message, filter, this.#caller.scopes)) continue
      this.#write(writeMessage(message))
      this.#counts.messages.inc()
    }
  }

  check(isHeartbeat: boolean): void {
    const caller = this.#findCaller()
    if (caller === null) this.end('revoked')
    else {
      this.#caller = caller
      if (isHeartbeat) this.#write(writeHeartbeat(this.#serial))
    }
  }

  // Look-ups of tokens throw when this thread's copy of the tokens is too old.
  #findCaller(): Caller | null {
    try {
      return this.#request.findCaller()
    } catch {
      this.end('failed')
      return null
    }
  }

  #write(text: string): void {
    if (this.#isOver) return
    if (this.readable.readableLength > WAITING_BYTES_MAX) this.end('slow')
    else this.readable.push(text)
  }

  end(reason: EndReason): void {
    if (this.#isOver) return
    this.readable.push(writeEnd(reason))
    this.readable.push(null)
    this.#finish(reason)
  }

  #finish(reason: EndReason | 'left'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#counts.open.dec()
    this.#counts.ended.inc({ reason })
    this.#onEnd(this)
  }
}
