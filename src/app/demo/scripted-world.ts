// What the desk of the demo meets when something leaves it: a relay, receivers of webhooks and
// systems that playbooks call, all of them functions that answer as written here.

import type { SendMailOptions } from 'nodemailer'
import { Registry } from 'prom-client'
import { createChangeFeed } from '../../casework/changes/feed-changes.ts'
import { markEventsResolved } from '../../casework/events/event-moves-store.ts'
import { findCasesOfEvents } from '../../casework/events/event-store.ts'
import { readMailIdentity } from '../../casework/notices/mail-identity.ts'
import type { Relay, RelayOutcome } from '../../casework/notices/relay.ts'
import { createNoticeSender } from '../../casework/notices/send-notices.ts'
import { startPending } from '../../casework/playbooks/runs/pending-start-store.ts'
import { createRunWaker } from '../../casework/playbooks/runs/wake-runs.ts'
import { moveDueTokens, type WorkerDeps } from '../../casework/playbooks/runs/worker.ts'
import { noteItemsOfCases } from '../../casework/sightings/sighting-change-store.ts'
import { createWebhookSender } from '../../casework/webhooks/deliver-webhooks.ts'
import { createWebhookListener } from '../../casework/webhooks/feed-webhooks.ts'
import { inInstance } from '../../kernel/db/instance-acts.ts'
import { silentLog } from '../../kernel/log.ts'
import { parseAllowList } from '../../kernel/outbound/allow-list.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { OutboundOutcome } from '../../kernel/outbound/outbound-outcome.ts'
import type { DemoDesk } from './demo-desk.ts'

/** A mail that the relay of the demo took. */
interface SentMail {
  readonly to: string
  /** Where an answer goes, and where a bounce goes. */
  readonly replyTo: string
  readonly bounceTo: string
  readonly subject: string
  readonly messageId: string
}

export interface ScriptedWorld {
  /** Does what the workers of the server would do until nothing is due any more. */
  readonly work: () => Promise<void>
  /** Mails that were sent since the last call. */
  readonly takeMails: () => readonly SentMail[]
}

// A round sends, hears of it, and moves the runs that waited for it.
const ROUNDS = 3
const FEED_PASSES = 20

export function createScriptedWorld(desk: DemoDesk): ScriptedWorld {
  const { database, ids, clock, secrets, config } = desk.services.foundation
  const { casework } = desk.services
  const { kysely: db } = database
  const mails: SentMail[] = []
  const identity = readMailIdentity(config)
  if (identity === null) throw new Error('the demo has a sender of mail')
  const relay = createRelay((mail) => mails.push(mail))
  const notices = createNoticeSender({
    db,
    log: silentLog,
    clock,
    ids,
    mail: identity,
    relay,
    count: NOT_COUNTED,
    buildEvidence: casework.buildEvidence,
    onOutcome: () => undefined,
  })
  const outbound = createPartners()
  const webhooks = createWebhookSender({
    db,
    log: silentLog,
    clock,
    ids,
    outbound,
    allow: parseAllowList([]),
    secrets,
    count: NOT_COUNTED,
  })
  const workers: WorkerDeps = {
    database,
    ids,
    clock,
    log: silentLog,
    wakeUp: casework.workerWakeUp,
    graphs: casework.graphs,
    markEventsResolved,
    noteWithdrawals: noteItemsOfCases,
    briefItem: casework.conditions.briefItem,
    mail: identity,
    outbound,
    allowsPlainHttp: () => false,
    secrets,
  }
  const { feed } = createChangeFeed({
    db,
    log: silentLog,
    metrics: new Registry(),
    listeners: [createWebhookListener({ ids }), createRunWaker({ findCasesOfEvents })],
  })
  return {
    async work() {
      for (let round = 0; round < ROUNDS; round += 1) {
        await feed(FEED_PASSES)
        await inInstance('start runs', () => startPending({ db, log: silentLog }, ids))
        await desk.time.dateDefaults()
        await moveDueTokens(workers)
        await desk.time.dateDefaults()
        const sent = await notices.sendDue()
        await webhooks.begin()
        await webhooks.whenIdle()
        if (sent === 0) break
      }
    },
    takeMails: () => mails.splice(0),
  }
}

const NOT_COUNTED = { inc: () => undefined }

const SENT: RelayOutcome = { kind: 'sent', replyCode: 250 }

function createRelay(keep: (mail: SentMail) => void): Relay {
  const tried = new Set<string>()
  return {
    connections: 4,
    ratePerMinute: null,
    async send(mail) {
      const sent = readMail(mail)
      const refusal = refuse(sent, tried)
      if (refusal !== null) return refusal
      keep(sent)
      return SENT
    },
    probe: async () => null,
    close: () => undefined,
  }
}

function refuse({ to, messageId }: SentMail, tried: Set<string>): RelayOutcome | null {
  // Greylisting (RFC 6647): the first attempt is put off.
  if (to.endsWith('@velden-shop.example') && !tried.has(messageId)) {
    tried.add(messageId)
    return { kind: 'failed', isFinal: false, replyCode: 451, failure: 'The relay answered 451.' }
  }
  if (to.endsWith('@quickstack.example')) {
    return { kind: 'failed', isFinal: false, replyCode: 452, failure: 'The relay answered 452.' }
  }
  if (to.endsWith('@closed-mailbox.example')) {
    return { kind: 'failed', isFinal: true, replyCode: 550, failure: 'The relay answered 550.' }
  }
  return null
}

function readMail({ envelope, replyTo, subject, messageId }: SendMailOptions): SentMail {
  const { from, to } = envelope ?? {}
  return {
    to: [to ?? []].flat().map(String)[0] ?? '',
    replyTo: typeof replyTo === 'string' ? replyTo : '',
    bounceTo: typeof from === 'string' ? from : '',
    subject: subject ?? '',
    messageId: messageId ?? '',
  }
}

/** Receivers of webhooks, adapters and systems that playbooks call. */
function createPartners(): Outbound {
  let asked = 0
  return {
    async request({ url }) {
      asked += 1
      return answer(new URL(url), asked)
    },
    probe: async () => ({ kind: 'failed', reason: 'unreachable', isOpened: false }),
    close: () => undefined,
  }
}

const ASSET = '{"asset":"NH-4711"}'

function answer({ hostname, href }: URL, asked: number): OutboundOutcome {
  switch (hostname) {
    case 'chat.nordhafen.example':
      return reply(href, 204, '')
    case 'tickets.nordhafen.example':
      // Every ninth call comes at a bad time.
      return asked % 9 === 0 ? reply(href, 503, '') : reply(href, 200, '{"ticket":"T-4711"}')
    case 'inventory.nordhafen.example':
      // It has the machines of the first data centre only.
      return href.includes('/203.0.113.') ? reply(href, 404, '') : reply(href, 200, ASSET)
    case 'firewall.nordhafen.example':
      return reply(href, 200, '{"status":"done"}')
    default:
      return { kind: 'failed', reason: 'timeout', isOpened: false }
  }
}

function reply(url: string, status: number, text: string): OutboundOutcome {
  const headers = new Map([['content-type', 'application/json']])
  return { kind: 'answer', status, headers, body: Buffer.from(text), url }
}
