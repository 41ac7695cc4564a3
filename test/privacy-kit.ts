// Creates a tenant with an address in every table, and finds the tables that still contain it.

import assert from 'node:assert/strict'
import type { AnswerFields } from './answer-fields.ts'
import type { TestAnswer, TestApp } from './harness.ts'

export const CASEWORK = '/beta/casework'
export const ANA = 'ana.beispiel@example.org'

export interface Tenant {
  readonly app: TestApp
  readonly id: string
  readonly token: string
  readonly send: (method: string, path: string, json?: unknown) => Promise<TestAnswer>
}

export async function openTenant(app: TestApp, id: string): Promise<Tenant> {
  await app.createTenant(id)
  const token = await app.createToken({ tenantId: id })
  const send: Tenant['send'] = async (method, path, json) => {
    const answer = await app.send(method, `${CASEWORK}${path}`, {
      token,
      ...(json === undefined ? {} : { json }),
    })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }
  return { app, id, token, send }
}

export async function sendMail({ app, token }: Tenant, lines: readonly string[]): Promise<string> {
  const body = ['Date: Wed, 01 Apr 2026 10:00:00 +0000', ...lines, ''].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await app.send('POST', `${CASEWORK}/reports`, { token, body, headers })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().report_id
}

const ABOUT = 'Your host 192.0.2.7 has tried to log in by SSH.'

/**
 * Makes a record of each kind that may hold an address, with ANA's in it: as it is, in other case,
 * at the end of a line, in base64 and in quoted-printable. Some records hold a longer address that
 * only contains hers.
 */
export async function fillWithAddress(
  tenant: Tenant,
): Promise<{ caseId: string; reports: readonly string[] }> {
  const event = { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.1' }
  const pushed = await tenant.send('POST', '/events', [
    { ...event, sender_email: 'Ana.Beispiel@Example.org' },
    { ...event, sender_email: ANA, event_date: '2026-04-01T00:00:01Z' },
    { ...event, sender_email: ANA.toUpperCase(), event_date: '2026-04-01T00:00:02Z' },
    { ...event, sender_email: 'b@example.net', event_details: { note: `Told\nby ${ANA}.` } },
    { ...event, sender_email: 'c@example.net', event_details: { note: `line\n${ANA}` } },
    { ...event, sender_email: `di${ANA}`, event_details: { note: `${ANA}.uk` } },
  ])
  const caseId = pushed.json().items[0].case_id
  await tenant.send('POST', `/cases/${caseId}/comments`, { text: `Asked <${ANA}> again.` })
  const assign = { version: 1, assignee_user_id: ANA }
  await tenant.send('PATCH', `/cases/${caseId}`, assign)
  const change = { version: 2, severity: 'high', metadata: { by: ANA }, reason: `as ${ANA} says` }
  await tenant.send('PATCH', `/cases/${caseId}`, change)
  const contact = { email: ANA, purpose: 'abuse' }
  await tenant.send('POST', '/customers', {
    id: 'k-1',
    name: `Shop of ${ANA}`,
    contacts: [contact],
  })
  await tenant.send('POST', '/customers', { id: ANA })
  const account = { kind: 'account', value: ANA, customer_id: 'k-1' }
  await tenant.send('POST', '/resources', account)
  return { caseId, reports: await sendReports(tenant) }
}

/** Three mails with the address: in a header, in base64 and in quoted-printable; one without it. */
async function sendReports(tenant: Tenant): Promise<readonly string[]> {
  const packed = Buffer.from(`${ABOUT} Write to ${ANA}, please.`).toString('base64')
  return [
    await sendMail(tenant, [`From: ${ANA}`, 'Subject: attack', '', ABOUT]),
    await sendMail(tenant, [
      'From: b@example.net',
      'Subject: attack',
      'MIME-Version: 1.0',
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: base64',
      '',
      ...(packed.match(/.{1,40}/g) ?? []),
    ]),
    await sendMail(tenant, [
      'From: c@example.net',
      'Subject: attack',
      'MIME-Version: 1.0',
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      `${ABOUT} Write to ana.beis=`,
      'piel=40example.org, please.',
    ]),
    await sendMail(tenant, ['From: d@example.net', 'Subject: attack', '', ABOUT]),
  ]
}

/** Tables in whose rows of the tenant the address stands, as text or as bytes. */
export async function findTables({ app, id }: Tenant, address = ANA): Promise<readonly string[]> {
  const { pool } = app.services.foundation.database
  const tables = await pool.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace order by 1`,
  )
  assert.ok(tables.rows.length > 20)
  const found: string[] = []
  for (const { name } of tables.rows) {
    const rows = await pool.query(
      `select from ${name} as one where tenant_id = $1
       and (one::text ~* $2 or position($3 in one::text) > 0) limit 1`,
      [
        id,
        `(^|[^a-z0-9_.+-]|\\\\[nrtbf])${address.replaceAll('.', '\\.')}([^a-z0-9.-]|\\.[^a-z0-9]|$)`,
        Buffer.from(` ${address}`).toString('hex'),
      ],
    )
    if (rows.rows.length > 0) found.push(name)
  }
  return found
}

// A request erases for some seconds, and the next one continues.
const REQUESTS_MAX = 60

/** Repeats the request until the erasure is done; its last answer. */
export async function erase(tenant: Tenant, more: object = {}, subject: object = { address: ANA }) {
  return await repeatErasure(() => tenant.send('POST', '/erasures', { ...subject, ...more }))
}

/** The same for any program and token. */
export async function eraseAddress(
  app: Pick<TestApp, 'send'>,
  token: string,
  address: string,
): Promise<void> {
  const request = { token, json: { address } }
  await repeatErasure(() => app.send('POST', `${CASEWORK}/erasures`, request))
}

async function repeatErasure(send: () => Promise<TestAnswer>): Promise<AnswerFields> {
  for (let left = REQUESTS_MAX; left > 0; left -= 1) {
    const answer = await send()
    assert.equal(answer.status, 200, answer.text)
    if (answer.json().state === 'done') return answer.json()
  }
  return assert.fail(`the erasure was not done after ${REQUESTS_MAX} requests`)
}

export interface ExportedItem {
  readonly table: string
  readonly found_in: readonly string[]
  readonly record: Readonly<Record<string, unknown>>
}

/** All parts of a privacy export: each answer has what five seconds find, and names the next. */
export async function exportAll(tenant: Tenant, request: object): Promise<readonly ExportedItem[]> {
  const items: ExportedItem[] = []
  for (let cursor = ''; ; ) {
    const body = { ...request, ...(cursor === '' ? {} : { cursor }) }
    const part = (await tenant.send('POST', '/privacy-exports', body)).json()
    items.push(...part.items)
    cursor = part.next_cursor
    if (cursor === '') return items
  }
}
