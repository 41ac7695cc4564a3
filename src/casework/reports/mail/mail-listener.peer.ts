// The SMTP listener and a mail client of the system, swaks, over STARTTLS.

import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openTestApp } from '../../../../test/harness.ts'
import { buildMail, openMail, whenRead } from '../../../../test/mail-kit.ts'

test('a mail of swaks is kept and read', async () => {
  const app = await openTestApp({
    environment: { CASEWORK_SMTP_PORT: '0', CASEWORK_MAIL_AUTHENTICATION: 'off' },
  })
  const token = await app.createToken()
  const mail = await openMail(app)
  try {
    const data = buildMail('swaks').replaceAll('\r\n', '\n')
    const swaks = `--server 127.0.0.1 --port ${mail.port} --tls --from bounce@reporter.example --to abuse@example.org`
    await promisify(execFile)('swaks', [...swaks.split(' '), '--data', data])
    await whenRead(app, token, 'swaks')
  } finally {
    await mail.close()
    await app.close()
  }
})
