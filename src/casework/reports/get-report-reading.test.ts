// A report as text beside its reading, over HTTP: locations of values, hostile content, who may.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestAnswer, withApp } from '../../../test/harness.ts'
import { eraseAddress } from '../../../test/privacy-kit.ts'

const app = withApp()
const REPORTS = '/beta/casework/reports'
const EVIL = '<img src=x onerror="window.hasRun=1">'

let count = 0

async function keep(subject: string, lines: readonly string[], more = ''): Promise<string> {
  count += 1
  const head = [
    `From: ${EVIL.replaceAll('"', '')} <olga@blimpworks.example>`,
    'To: abuse@provider.example',
    `Subject: ${subject}`,
    `Message-ID: <${count}@blimpworks.example>`,
    ...(more === '' ? [] : [more]),
    '',
  ]
  const body = [...head, ...lines].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await app.send('POST', REPORTS, { token: app.token, body, headers })
  return answer.json().report_id
}

function read(id: string, token = app.token): Promise<TestAnswer> {
  return app.send('GET', `${REPORTS}/${id}/reading`, { token })
}

test('200: the text, and each value with its place, its rule and its stored event', async () => {
  const id = await keep('Port scan', ['Hello,', '192.0.2.10 scanned our ports.', `See ${EVIL}`])
  const { status, text, json } = await read(id)
  assert.equal(status, 200, text)
  const reading = json()
  assert.equal(reading.verdict, 'report')
  const [body] = reading.texts
  assert.equal(body.part, 'text')
  assert.equal(body.lines[2], `See ${EVIL}`)
  const event = reading.events[0]
  assert.match(event.event_id, /^[0-9a-f-]{36}$/)
  const found = event.findings.find((one: { field: string }) => one.field === '/ip')
  assert.equal(found.value, '192.0.2.10')
  const { of, at, line, start, end } = found.location
  assert.deepEqual([of, at], ['text', 0])
  assert.equal(body.lines.at(line).slice(start, end), '192.0.2.10')
  assert.ok(found.rule)
})

test('200: a page becomes text, without its scripts', async () => {
  const page = `<p>192.0.2.11 scanned us</p><script>window.hasRun = 1</script><a href="javascript:x">here</a>`
  const id = await keep('Port scan', [page], 'Content-Type: text/html')
  const reading = (await read(id)).json()
  const text = reading.texts.flatMap((one: { lines: string[] }) => one.lines).join('\n')
  assert.match(text, /192\.0\.2\.11 scanned us/)
  assert.doesNotMatch(text, /<script|hasRun/)
})

test('200: for a report that was rejected, with the rule and the words that decided', async () => {
  const id = await keep(
    'Out of office',
    ['I am away until Monday.'],
    'Auto-Submitted: auto-replied',
  )
  const reading = (await read(id)).json()
  assert.equal(reading.verdict, 'no_report')
  assert.ok(reading.reason)
  assert.ok(reading.decided_by.rule)
  assert.deepEqual(reading.events, [])
})

test('the audit log has who read which report', async () => {
  const id = await keep('Port scan', ['192.0.2.12 scanned our ports.'])
  await read(id)
  const log = await app.send('GET', '/beta/admin/audit?act=report.read', { token: app.token })
  assert.equal(log.status, 200, log.text)
  assert.match(log.text, new RegExp(id))
})

test('404 for an unknown report and for one of another tenant, 403 without events:raw', async () => {
  const id = await keep('Port scan', ['192.0.2.13 scanned our ports.'])
  assert.equal((await read('00000000-0000-7000-8000-000000000000')).status, 404)
  await app.createTenant('readers')
  assert.equal((await read(id, await app.createToken({ tenantId: 'readers' }))).status, 404)
  const reader = await app.createToken({ scopes: ['events:read', 'cases:write'] })
  assert.equal((await read(id, reader)).status, 403)
})

test('410 once the bytes are gone', async () => {
  const id = await keep('Port scan', ['192.0.2.14 scanned our ports.'])
  await eraseAddress(app, app.token, 'olga@blimpworks.example')
  assert.equal((await read(id)).status, 410)
})
