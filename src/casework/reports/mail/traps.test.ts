// To whom a mail came: its recipient in its events, a mailbox declared a trap, and what the reader
// is told of the tenant's own networks.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type TestAnswer, withApp } from '../../../../test/harness.ts'
import {
  buildMail,
  connectSmtp,
  type MailApp,
  openMail,
  whenRead,
} from '../../../../test/mail-kit.ts'
import type { ReportContext } from '../../../reader/reading.ts'
import { replayReport } from '../process-report.ts'
import { submitReport } from '../submit-report.ts'

const ACTOR = { kind: 'token', id: 'tok_test', name: 'test' } as const
const SCOPE = { tenantId: 'default' }

describe('recipients and traps', () => {
  let mail: MailApp
  after(() => mail.close())
  const environment = {
    CASEWORK_SMTP_PORT: '0',
    CASEWORK_LMTP_PORT: '0',
    CASEWORK_MAIL_AUTHENTICATION: 'off',
  }
  const app = withApp({ environment }, async () => {
    mail = await openMail(app)
    await put('abuse@example.org', {})
    await put('*@traps.example', { trap: true })
  })

  const send = (method: 'GET' | 'POST' | 'PUT', path: string, json?: object) =>
    app.send(method, path, { token: app.token, ...(json === undefined ? {} : { json }) })

  async function put(address: string, settings: object): Promise<TestAnswer> {
    const path = `/beta/admin/report-addresses/${encodeURIComponent(address)}`
    return await send('PUT', path, { tenant_id: 'default', ...settings })
  }

  async function readEvents(messageId: string) {
    const { report_id: reportId, state } = await whenRead(app, app.token, messageId)
    assert.equal(state, 'accepted')
    const answer = await send('GET', `/beta/casework/reports/${reportId}/events`)
    const ids: string[] = answer.json().items.map((event: { event_id: string }) => event.event_id)
    const events = await Promise.all(
      ids.map(async (id) => (await send('GET', `/beta/casework/events/${id}`)).json()),
    )
    return { reportId, events }
  }

  test('a mail to a trap of a whole domain is one in its regression case', async () => {
    const { reports } = app.services.casework
    const { reportId } = await submitReport(reports, SCOPE, {
      bytes: Buffer.from(buildMail('trap-case')),
      mediaType: 'message/rfc822',
      fallbackReporter: null,
      actor: ACTOR,
      via: 'smtp',
      envelope: { from: null, to: ['Any@Traps.example'], remoteAddress: null, helo: null },
    })
    const answer = await send('GET', `/beta/casework/reports/${reportId}/regression-case`)
    assert.match(answer.text, /^trap: yes$/m)
  })

  test('a mailbox is declared a trap, shown as one, and is none when given anew without it', async () => {
    assert.equal((await put('new@example.org', { trap: true })).json().trap, true)
    const listed = (await send('GET', '/beta/admin/report-addresses')).json().items
    assert.deepEqual(
      listed.map(({ address, trap }: { address: string; trap: boolean }) => [address, trap]),
      [
        ['*@traps.example', true],
        ['abuse@example.org', false],
        ['new@example.org', true],
      ],
    )
    assert.equal((await put('new@example.org', {})).json().trap, false)
    assert.equal((await put('new@example.org', { trap: 'yes' })).status, 400)
  })

  test('the recipient of the envelope stands in the event, and after a replay too', async () => {
    const client = await connectSmtp(mail.port)
    const bytes = buildMail('for-desk').replace('To: abuse@example.org', 'To: other@example.net')
    assert.match(await client.sendMail(bytes, ['abuse@example.org']), /^250 /)
    client.close()
    const { reportId, events } = await readEvents('for-desk')
    assert.deepEqual(
      events.map((event) => event.recipient_email),
      ['abuse@example.org'],
    )
    const contexts: ReportContext[] = []
    const deps = app.services.casework.reports
    const replayed = await replayReport(
      {
        ...deps,
        readBytes: (given, context, tenantId) => {
          contexts.push(context)
          return deps.readBytes?.(given, context, tenantId) ?? { kind: 'unreadable', reason: 'No.' }
        },
      },
      SCOPE,
      reportId,
      ACTOR,
    )
    assert.deepEqual(contexts[0]?.envelopeTo, ['abuse@example.org'])
    assert.equal(contexts[0]?.clientAddress, '127.0.0.1')
    assert.equal(replayed?.events[0]?.outcome, 'duplicate')
  })

  test('the first mailbox of the tenant among To stands in the event of a mail without an envelope', async () => {
    const bytes = buildMail('by-api').replace('To: ', 'To: boss@example.net, ')
    const answer = await app.send('POST', '/beta/casework/reports', {
      token: app.token,
      body: Buffer.from(bytes),
      headers: { 'content-type': 'message/rfc822' },
    })
    assert.equal(answer.json().state, 'accepted')
    const { events } = await readEvents('by-api')
    assert.equal(events[0]?.recipient_email, 'abuse@example.org')
  })

  test('a mail to a trap is spam from the last hop outside, whatever it says', async () => {
    const client = await connectSmtp(mail.channels.lmtpPort() ?? 0, 'LHLO relay.example.org')
    const hop =
      'Received: from x ([203.0.113.5]) by mx.example.org; Sun, 01 Mar 2026 10:06:00 +0000'
    const head = [hop, 'Auto-Submitted: auto-replied', 'In-Reply-To: <none@traps.example>']
    const bytes = `${head.join('\r\n')}\r\n${buildMail('trapped')}`
    assert.match(await client.sendMail(bytes, ['old.name@traps.example']), /^250 /)
    client.close()
    const { events } = await readEvents('trapped')
    assert.equal(events.length, 1)
    const event = events[0] ?? assert.fail()
    assert.deepEqual(
      [event.event_type, event.ip, event.sender_email, event.recipient_email, event.tags],
      ['Spam', '203.0.113.5', 'old.name@traps.example', 'old.name@traps.example', ['trap']],
    )
  })

  test('the reader is told the own networks, the ranges and domains of customers, and no others', async () => {
    await app.createTenant('other')
    const stranger = await app.createToken({ tenantId: 'other' })
    const networks = [{ item: '198.51.100.0/24', source: 'hand' }]
    assert.equal((await send('POST', '/beta/networks', networks as never)).status, 200)
    await app.services.intel.networks.refresh()
    for (const token of [app.token, stranger]) {
      const json = { id: 'k-1' }
      await app.send('POST', '/beta/casework/customers', { token, json })
    }
    const own = { customer_id: 'k-1' }
    const ended = { valid_from: '2020-01-01T00:00:00Z', valid_until: '2021-01-01T00:00:00Z' }
    for (const resource of [
      { ...own, kind: 'ip_range', value: '203.0.113.16/28' },
      { ...own, kind: 'ip_range', value: '2001:db8:9::/48' },
      { ...own, kind: 'domain', value: 'shop.example' },
      { ...own, kind: 'account', value: 'u-77' },
      { ...own, kind: 'domain', value: 'former.example', ...ended },
    ]) {
      const answer = await send('POST', '/beta/casework/resources', resource)
      assert.equal(answer.status, 201, answer.text)
    }
    const foreign = { ...own, kind: 'domain', value: 'elsewhere.example' }
    await app.send('POST', '/beta/casework/resources', { token: stranger, json: foreign })
    const contexts: ReportContext[] = []
    await submitReport(
      {
        ...app.services.casework.reports,
        readBytes: (_, context) => {
          contexts.push(context)
          return { kind: 'unreadable', reason: 'No.' }
        },
      },
      SCOPE,
      {
        bytes: Buffer.from(buildMail('context')),
        mediaType: 'message/rfc822',
        fallbackReporter: null,
        actor: ACTOR,
        via: 'api',
      },
    )
    assert.deepEqual(contexts[0]?.ownNetworks, [
      '198.51.100.0/24',
      '203.0.113.16/28',
      '2001:db8:9::/48',
      'shop.example',
    ])
  })
})
