// An answer to a notice by a mail client of the system, swaks, over STARTTLS.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openTestApp } from '../../../../test/harness.ts'
import { buildMail, openMail, whenRead } from '../../../../test/mail-kit.ts'

test('an answer of swaks to the address of a notice becomes a comment', async () => {
  const app = await openTestApp({
    environment: {
      CASEWORK_SMTP_PORT: '0',
      CASEWORK_MAIL_AUTHENTICATION: 'off',
      CASEWORK_RELAY_URL: 'smtp://127.0.0.1:9',
      CASEWORK_MAIL_FROM: 'abuse@provider.example',
      CASEWORK_MAIL_DOMAIN: 'in.provider.example',
    },
  })
  const token = await app.createToken()
  const mail = await openMail(app)
  try {
    const event = { event_date: '2026-11-20T10:00:00Z', event_type: 'Spam', ip: '192.0.2.7' }
    const json = { ...event, customer_id: 'k', sender_email: 'ann@reporter.example' }
    const pushed = await app.send('POST', '/beta/casework/events', { token, json })
    const caseId: string = pushed.json().case_id
    const notices = `/beta/casework/cases/${caseId}/notices`
    const told = { template: 'answer', party: 'other', address: 'reports@reporter.example' }
    const queued = await app.send('POST', notices, { token, json: told })
    assert.equal(queued.status, 202, queued.text)
    const found = await app.services.foundation.database.pool.query<{ key: string }>(
      'select reply_key as key from notice',
    )
    const to = `abuse+${found.rows[0]?.key}@in.provider.example`
    const data = buildMail('swaks-answer', 'It is fixed.').replaceAll('\r\n', '\n')
    const swaks = `--server 127.0.0.1 --port ${mail.port} --tls --from reports@reporter.example --to ${to}`
    await promisify(execFile)('swaks', [...swaks.split(' '), '--data', data])
    assert.equal((await whenRead(app, token, 'swaks-answer')).state, 'accepted')
    const path = `/beta/casework/cases/${caseId}/comments`
    const [comment] = (await app.send('GET', path, { token })).json().items
    assert.deepEqual([comment.text, comment.party], ['It is fixed.', 'other'])
  } finally {
    await mail.close()
    await app.close()
  }
})
