// What the tests of report sightings share: pushed events and mails of now, one pass of the worker,
// and what look-ups say afterwards.

import assert from 'node:assert/strict'
import {
  createSightingCollector,
  type SightingCollector,
} from '../src/casework/sightings/collect-sightings.ts'
import type { Clock } from '../src/kernel/clock.ts'
import type { TestApp } from './harness.ts'

export interface Explained {
  readonly intent: { readonly value: string }
  readonly activity: { readonly value: boolean }
  readonly tags: readonly { readonly name: string; readonly because: readonly string[] }[]
  readonly entries: readonly {
    readonly kind: string
    readonly type: string
    readonly count: number
    readonly service?: string
    readonly source: { readonly name: string; readonly kind: string }
  }[]
}

/** Give it a clock where a test decides when its pauses have passed. */
export function openCollector(
  app: TestApp,
  clock: Clock = app.services.foundation.clock,
): SightingCollector {
  const { database, log, config } = app.services.foundation
  return createSightingCollector({ database, clock, log, lookBackDays: config.lookBackDays })
}

const PASSES_MAX = 20

/** Collects until nothing is left, as the worker does within seconds, and shows it to this node. */
export async function collectAll(app: TestApp): Promise<void> {
  const { collect } = openCollector(app)
  for (let pass = 0; (await collect()).isMore; pass += 1) {
    assert.ok(pass < PASSES_MAX, 'there is always more to collect')
  }
  await app.services.intel.index.refreshNow()
}

export async function explain(app: TestApp, item: string): Promise<Explained> {
  const answer = await app.send('GET', `/beta/explain/${item}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().result
}

export async function listTags(app: TestApp, item: string): Promise<readonly string[]> {
  return (await explain(app, item)).tags.map(({ name }) => name)
}

/** A time, `HH:MM`, of the day three days ago. Two of them are of one day whenever a test runs. */
export function threeDaysAgo(time: string): string {
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
  return `${day}T${time}:00Z`
}

export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString()
}

/** Pushes an event of five minutes ago; its id. */
export async function pushEvent(
  app: TestApp,
  token: string,
  members: Record<string, unknown>,
): Promise<string> {
  const event = { event_type: 'Phishing', event_date: minutesAgo(5), ...members }
  const answer = await app.send('POST', '/beta/casework/events', { token, json: event })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().event_id
}

/** A mail of this sender about an address, as somebody wrote it. */
export function writeMail(from: string, ip: string, id: string): string {
  return [
    `From: ${from}`,
    'To: abuse@example.org',
    `Subject: SSH brute force from ${ip}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@reporter.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Hello,',
    '',
    `the address ${ip} tried to log in to our servers by SSH with wrong passwords:`,
    '',
    `${minutesAgo(5)} sshd: Failed password for root from ${ip} port 40222 ssh2`,
    '',
    'Regards, the abuse team',
    '',
  ].join('\r\n')
}
