// What the proofs of the playbook engine share: the playbook of eight nodes, the systems that its
// effects reach on loopback, and what must be true after its runs.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TakenMail } from '../fixtures/mail-sink.ts'
import type { TestApp } from '../harness.ts'
import { listenOnLoopback } from '../loopback.ts'
import { type GraphNode, query } from '../playbook-fixtures.ts'

/** One request that came in whole. */
export interface SunkRequest {
  readonly path: string
  /** The key of the effect. */
  readonly key: string
}

export interface HttpSink {
  readonly port: number
  readonly requests: readonly SunkRequest[]
  /** Decides what becomes of a request before it counts; null takes it. */
  meet: (() => 'refused' | 'lost' | 'unanswered' | null) | null
  readonly close: () => Promise<void>
}

/** A system that takes the calls of API Caller and Webhook. */
export async function openHttpSink(): Promise<HttpSink> {
  const requests: SunkRequest[] = []
  const take = (message: IncomingMessage, response: ServerResponse): void => {
    const fate = sink.meet?.() ?? null
    if (fate === 'lost') {
      message.socket.destroy()
      return
    }
    if (fate !== 'refused') {
      const { 'idempotency-key': key, 'webhook-id': id } = message.headers
      requests.push({ path: message.url ?? '', key: String(key ?? id) })
    }
    if (fate === 'unanswered') message.socket.destroy()
    else response.writeHead(fate === 'refused' ? 503 : 200).end('{}')
  }
  const server = createServer((message, response) => {
    message.resume()
    message.on('end', () => take(message, response))
  })
  const sink: HttpSink = {
    port: await listenOnLoopback(server),
    requests,
    meet: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return sink
}

/** The nodes of the playbook in the order in which a run visits them. */
export const EIGHT = ['begin', 'work', 'call', 'note', 'mail', 'mark', 'hook', 'done'] as const

/** State, call, comment, mail, tag, webhook, end well: an effect of each sort. */
export function writeEight(httpPort: number): readonly GraphNode[] {
  const url = `http://127.0.0.1:${httpPort}`
  return [
    { id: 'begin', kind: 'start', paths: { next: 'work' } },
    { id: 'work', kind: 'set_state', config: { state: 'IN_PROGRESS' }, paths: { next: 'call' } },
    {
      id: 'call',
      kind: 'api_caller',
      config: { method: 'POST', url: `${url}/call`, body: { reason: 'abuse' } },
      paths: { success: 'note' },
    },
    { id: 'note', kind: 'comment', config: { text: 'Told.' }, paths: { next: 'mail' } },
    {
      id: 'mail',
      kind: 'email',
      config: { to: { cel: "case.id + '@customer.example'" }, template: 'notice' },
      paths: { sent: 'mark' },
    },
    { id: 'mark', kind: 'tag', config: { add: ['told'] }, paths: { next: 'hook' } },
    {
      id: 'hook',
      kind: 'webhook',
      config: { url: `${url}/hook`, secret: 'hook-key' },
      paths: { next: 'done' },
    },
    { id: 'done', kind: 'resolve' },
  ]
}

/** `whsec_` and 32 bytes, for the node `hook`. */
export async function storeHookSecret(app: TestApp, token: string): Promise<void> {
  const value = `whsec_${Buffer.alloc(32, 'proof').toString('base64')}`
  const put = await app.send('PUT', '/beta/casework/secrets/hook-key', { token, json: { value } })
  assert.ok(put.status < 300, put.text)
}

/**
 * Asserts that every run of the playbook is over, that each step was made once, and that each
 * effect is one for who received it.
 */
export async function assertEachOnce(
  app: TestApp,
  playbook: string,
  caseIds: readonly string[],
  { http, mails }: { readonly http: readonly SunkRequest[]; readonly mails: readonly TakenMail[] },
): Promise<void> {
  const values = [playbook]
  const runs = await query<object>(
    app,
    `select state, failure, visits, count(*) from run where playbook_id = $1 group by 1, 2, 3`,
    values,
  )
  const all = { state: 'ended', failure: null, visits: EIGHT.length, count: caseIds.length }
  assert.deepEqual(runs, [all])
  const steps = await query<object>(
    app,
    `select visit.visit, node, count(*) as times, count(distinct visit.case_id) as cases
     from visit join run on run.tenant_id = visit.tenant_id and run.id = visit.run_id
     where run.playbook_id = $1 group by 1, 2 order by 1`,
    values,
  )
  const count = caseIds.length
  assert.deepEqual(
    steps,
    EIGHT.map((node, at) => ({ visit: at + 1, node, times: count, cases: count })),
  )
  const history = await query<object>(
    app,
    `select kind, count(*) as entries, count(distinct cause_id) as causes
     from case_history join run using (tenant_id, case_id)
     where run.playbook_id = $1 and case_history.actor_kind = 'run' group by kind order by kind`,
    values,
  )
  assert.deepEqual(history, [
    { kind: 'change', entries: count, causes: count },
    { kind: 'comment', entries: count, causes: count },
    { kind: 'move', entries: 2 * count, causes: 2 * count },
    { kind: 'notice', entries: count, causes: count },
  ])
  const open = await query<object>(
    app,
    `select node from run_attempt join run on run.tenant_id = run_attempt.tenant_id and run.id = run_attempt.run_id
     where run.playbook_id = $1 and run_attempt.ended_at is null`,
    values,
  )
  assert.deepEqual(open, [], 'an attempt has no outcome')
  await assertKeys(app, playbook, http, mails)
}

async function assertKeys(
  app: TestApp,
  playbook: string,
  http: readonly SunkRequest[],
  mails: readonly TakenMail[],
): Promise<void> {
  const runIds = await query<{ id: string; caseId: string }>(
    app,
    `select id, case_id as "caseId" from run where playbook_id = $1`,
    [playbook],
  )
  const keysAt = (path: string): ReadonlySet<string> =>
    new Set(http.filter((one) => one.path === path).map(({ key }) => key))
  assert.deepEqual(keysAt('/call'), new Set(runIds.map(({ id }) => `${id}:1:3`)), 'keys of calls')
  assert.deepEqual(keysAt('/hook'), new Set(runIds.map(({ id }) => `${id}:1:7`)), 'keys of hooks')
  const ids = new Set(mails.map(({ text }) => /^Message-ID: (\S+)/im.exec(text)?.[1]))
  const tags = new Set(mails.map(({ text }) => /\[(C-[0-9A-F-]+)\]/.exec(text)?.[1]))
  assert.equal(ids.size, runIds.length, 'each mail has one Message-ID, however often it came')
  assert.deepEqual(tags, new Set(runIds.map(({ caseId }) => caseId)), 'each case was told')
}
