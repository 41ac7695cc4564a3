// For the tests of mitigations: an adapter on loopback, cases with a target, and one pass of the
// worker.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { Registry } from 'prom-client'
import { createMitigationMetrics } from '../src/casework/mitigations/mitigation-metrics.ts'
import {
  createMitigationWorker,
  type MitigationWorkerDeps,
} from '../src/casework/mitigations/run-mitigations.ts'
import { silentLog } from '../src/kernel/log.ts'
import { parseAllowList } from '../src/kernel/outbound/allow-list.ts'
import type { TestApp } from './harness.ts'
import type { SeenRequest } from './outbound-kit.ts'

export const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export function mitigationDeps(app: TestApp): MitigationWorkerDeps {
  const { database, ids, clock, secrets, config } = app.services.foundation
  return {
    db: database.kysely,
    ids,
    clock,
    secrets,
    log: silentLog,
    outbound: app.services.casework.outbound,
    allow: parseAllowList(config.outboundAllow),
    count: createMitigationMetrics(new Registry()).count,
  }
}

/** As the worker does, until nothing is due. */
export async function workOnMitigations(app: TestApp): Promise<void> {
  const worker = createMitigationWorker(mitigationDeps(app))
  for (let pass = 0; pass < 20; pass += 1) {
    const begun = await worker.begin()
    await worker.whenIdle()
    if (begun === 0) return
  }
  assert.fail('mitigations are due again and again')
}

export async function putAdapter(
  app: TestApp,
  token: string,
  name: string,
  url: string,
  kinds: readonly string[],
): Promise<void> {
  const secret = { token, json: { value: SIGNING_SECRET } }
  assert.equal((await app.send('PUT', '/beta/casework/secrets/blocks', secret)).status, 200)
  const path = `/beta/casework/mitigation-adapters/${name}`
  const json = { url, secret: 'blocks', kinds }
  const answer = await app.send('PUT', path, { token, json })
  assert.equal(answer.status, 200, answer.text)
}

let pushed = 0
/** A new case with one event about the address; its id. */
export async function openCaseOf(app: TestApp, token: string, ip: string): Promise<string> {
  pushed += 1
  const event = {
    event_date: '2026-11-20T10:00:00Z',
    event_type: 'Spam',
    ip,
    customer_id: `customer-${pushed}`,
    sender_email: 'ann@reporter.example',
    report_id: `report-${pushed}`,
  }
  const stored = await app.send('POST', '/beta/casework/events', { token, json: event })
  assert.equal(stored.status, 201, stored.text)
  return stored.json().case_id
}

/** The messages that an adapter was sent, as they arrived. */
export function readMessages(requests: readonly SeenRequest[]) {
  return requests.map(({ body, headers }) => ({
    ...(JSON.parse(body) as { type: string; data: Record<string, unknown> }),
    key: String(headers['idempotency-key']),
  }))
}

export function answerWith(status: number, body: object = {}, headers: object = {}) {
  return (_: SeenRequest, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}
