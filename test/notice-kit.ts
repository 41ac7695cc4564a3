// The program with a real relay on loopback, for tests of outgoing mail. The test itself does what
// workers do with notices, changes and runs, step by step and without a timer.

import assert from 'node:assert/strict'
import { Registry } from 'prom-client'
import { createChangeFeed } from '../src/casework/changes/feed-changes.ts'
import { findCasesOfEvents } from '../src/casework/events/event-store.ts'
import { readMailIdentity } from '../src/casework/notices/mail-identity.ts'
import { createNoticeMetrics } from '../src/casework/notices/notice-metrics.ts'
import { openRelay } from '../src/casework/notices/relay.ts'
import { createNoticeSender } from '../src/casework/notices/send-notices.ts'
import { createRunWaker } from '../src/casework/playbooks/runs/wake-runs.ts'
import { silentLog } from '../src/kernel/log.ts'
import { type MailSink, openMailSink } from './fixtures/mail-sink.ts'
import { openTestApp, type TestApp, type TestAppOptions } from './harness.ts'
import { query, runDueSteps } from './playbook-fixtures.ts'

export interface NoticeApp extends TestApp {
  readonly sink: MailSink
  readonly token: string
}

/** The relay is the sink, and answers come to `in.provider.example`. */
export async function openNoticeApp(options: TestAppOptions = {}): Promise<NoticeApp> {
  const sink = await openMailSink()
  const app = await openTestApp({
    ...options,
    environment: {
      CASEWORK_RELAY_URL: `smtp://127.0.0.1:${sink.port}`,
      CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
      CASEWORK_MAIL_DOMAIN: 'in.provider.example',
      ...options.environment,
    },
  })
  return {
    ...app,
    sink,
    token: await app.createToken(),
    async close() {
      await app.close()
      await sink.close()
    },
  }
}

/** Makes every waiting notice due, and sends until nothing is left. */
export async function sendNotices(app: TestApp): Promise<void> {
  const { config, database, clock, ids } = app.services.foundation
  const mail = readMailIdentity(config)
  if (mail === null) return
  const relay = openRelay(config, mail)
  const sender = createNoticeSender({
    db: database.kysely,
    log: silentLog,
    clock,
    ids,
    mail,
    relay,
    count: createNoticeMetrics(new Registry()),
    onOutcome: () => undefined,
  })
  await query(app, "update notice set wake_at = now() where state = 'waiting'")
  await sendAllDue(sender)
  relay.close()
}

// A pass sends a batch; no test has more.
const PASSES_MAX = 50

/** Sends until no notice is due. */
export async function sendAllDue({
  sendDue,
}: {
  readonly sendDue: () => Promise<number>
}): Promise<void> {
  for (let pass = 0; pass < PASSES_MAX; pass += 1) if ((await sendDue()) === 0) return
  assert.fail('notices are due again and again')
}

/** Hands the changes of cases and events to the runs that wait for them. */
export async function feedChanges(app: TestApp): Promise<void> {
  const { kysely: db } = app.services.foundation.database
  const listeners = [createRunWaker({ findCasesOfEvents })]
  await createChangeFeed({ db, log: silentLog, metrics: new Registry(), listeners }).feed(10)
}

/** Moves runs and sends their mails, until each run waits for a person or has ended. */
export async function runWithMail(app: TestApp): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await runDueSteps(app)
    await sendNotices(app)
    await feedChanges(app)
    await runDueSteps(app)
  }
}
