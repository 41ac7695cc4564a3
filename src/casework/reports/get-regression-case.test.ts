// A report as a test case of the reader, over HTTP: whole and anonymised, and who may have it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { eraseAddress } from '../../../test/privacy-kit.ts'

const app = withApp()
const REPORTS = '/beta/casework/reports'

let count = 0

async function keep(): Promise<string> {
  count += 1
  const body = [
    'From: Olga Blimp <olga@blimpworks.example>',
    'To: abuse@provider.example',
    'Subject: Port scan from 192.0.2.10',
    `Message-ID: <${count}@blimpworks.example>`,
    '',
    `192.0.2.10 scanned our ports, ${count} times.`,
  ].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await app.send('POST', REPORTS, { token: app.token, body, headers })
  return answer.json().report_id
}

function get(id: string, query = '', token = app.token): Promise<TestAnswer> {
  return app.send('GET', `${REPORTS}/${id}/regression-case${query}`, { token })
}

test('200: the mail below what it reports after its correction', async () => {
  const id = await keep()
  const add = [{ event_type: 'Spam', subject: { ip: '192.0.2.11' } }]
  const json = { version: 1, withdraw_all: true, add }
  const path = `${REPORTS}/${id}/correct`
  assert.equal((await app.send('POST', path, { token: app.token, json })).status, 200)
  const { status, text, headers } = await get(id)
  assert.equal(status, 200, text)
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(String(headers['content-disposition']), /^attachment; /)
  const lines = text.split('\n')
  assert.deepEqual(lines.slice(0, 8), [
    `=== report ${id}`,
    'kind: bystander',
    'ip: 192.0.2.11',
    'type: Spam',
    'reporter: olga@blimpworks.example',
    'recipient: abuse@provider.example',
    'not: 192.0.2.10',
    lines[7],
  ])
  assert.match(text, /^---\n(?:.+\n)+\n192\.0\.2\.10 scanned our ports/m)
})

test('200 anonymised: nothing that names somebody is left', async () => {
  const id = await keep()
  const { status, text } = await get(id, '?anonymise=true')
  assert.equal(status, 200, text)
  assert.match(text, new RegExp(`^=== report ${id}\\n`))
  assert.doesNotMatch(text, /olga|blimp|provider/i)
})

test('404 for an unknown report and for one of another tenant, 403 without events:raw', async () => {
  const id = await keep()
  assert.equal((await get('00000000-0000-7000-8000-000000000000')).status, 404)
  await app.createTenant('strangers')
  assert.equal((await get(id, '', await app.createToken({ tenantId: 'strangers' }))).status, 404)
  const reader = await app.createToken({ scopes: ['events:read', 'cases:write'] })
  assert.equal((await get(id, '', reader)).status, 403)
})

test('409 for what is no mail, 410 once the bytes are gone', async () => {
  const headers = { 'content-type': 'application/json' }
  const sent = await app.send('POST', REPORTS, { token: app.token, body: '{"a": 1}', headers })
  const refused = await get(sent.json().report_id)
  assert.equal(refused.headers['casework-problem'], 'CASEWORK_NO_REGRESSION_CASE', refused.text)
  const id = await keep()
  await eraseAddress(app, app.token, 'olga@blimpworks.example')
  assert.equal((await get(id)).status, 410)
})
