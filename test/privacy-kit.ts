// Creates a tenant with an address in every table, and finds the tables that still contain it.

import assert from 'node:assert/strict'
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
 * Everything that may hold an address, with one in each; a report of its bytes in base64 among it.
 */
export async function fill(
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
  const packed = Buffer.from(`${ABOUT} Write to ${ANA}, please.`).toString('base64')
  const reports = [
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
  return { caseId, reports }
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

export async function erase(tenant: Tenant, more: object = {}, subject: object = { address: ANA }) {
  for (;;) {
    const answer = await tenant.send('POST', '/erasures', { ...subject, ...more })
    if (answer.json().state === 'done') return answer.json()
  }
}

/** The same for any program and token. A request works for some seconds; the next one goes on. */
export async function eraseAddress(
  app: Pick<TestApp, 'send'>,
  token: string,
  address: string,
): Promise<void> {
  for (let state = ''; state !== 'done'; ) {
    const erased = await app.send('POST', `${CASEWORK}/erasures`, { token, json: { address } })
    assert.equal(erased.status, 200, erased.text)
    state = erased.json().state
  }
}

export interface ExportedItem {
  readonly table: string
  readonly found_in: readonly string[]
  readonly record: Readonly<Record<string, unknown>>
}

/** All parts of a privacy export: each answer has what five seconds find. */
export async function exportAll(tenant: Tenant, wish: object): Promise<readonly ExportedItem[]> {
  const items: ExportedItem[] = []
  for (let cursor = ''; ; ) {
    const body = { ...wish, ...(cursor === '' ? {} : { cursor }) }
    // One part names the next one.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const part = (await tenant.send('POST', '/privacy-exports', body)).json()
    items.push(...part.items)
    cursor = part.next_cursor
    if (cursor === '') return items
  }
}
