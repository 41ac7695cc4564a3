// The mail channels as configured.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { withApp } from '../../../../test/harness.ts'
import { buildMail, connectSmtp } from '../../../../test/mail-kit.ts'
import { buildMailDeps } from '../../../app/open-casework.ts'
import type { Config } from '../../../kernel/config.ts'
import { createLog } from '../../../kernel/log.ts'
import { openMailChannels } from './open-mail-channels.ts'

const app = withApp({ environment: { CASEWORK_MAIL_AUTHENTICATION: 'off' } })

function withSettings(changes: Partial<Config>) {
  const { casework } = app.services
  const { foundation } = casework
  const config = { ...foundation.config, smtpPort: null, ...changes }
  // Each call opens its own listeners, whose readiness checks have the same names.
  const readiness = { ...foundation.readiness, add: () => undefined }
  return buildMailDeps({ ...casework, foundation: { ...foundation, config, readiness } })
}

test('no start for a mailbox of a tenant that is not there, and the error names the setting', async () => {
  const casework = withSettings({
    imapUrl: 'imaps://reports@mail.example/INBOX',
    imapPassword: 'not a secret',
    imapTenant: 'nobody',
    smtpPort: 0,
  })
  await assert.rejects(openMailChannels(casework), {
    code: 'KERNEL_SETTINGS_NOT_USABLE',
    message: /CASEWORK_IMAP_TENANT names nobody, and there is no such tenant/,
  })
})

test('the listeners and their limits of size, recipients and connections are those of the settings', async () => {
  const lmtpSocket = join(app.services.foundation.config.dataDir, 'lmtp.sock')
  const channels = await openMailChannels(
    withSettings({
      smtpPort: 0,
      lmtpPort: 0,
      lmtpSocket,
      mailSizeLimit: 65_536,
      smtpRecipients: 2,
      smtpConnections: 2,
      smtpConnectionsPerAddress: 1,
    }),
  )
  const port = channels.smtpPort() ?? 0
  try {
    const client = await connectSmtp(port)
    await assert.rejects(connectSmtp(port), /421 .*Too many connections/)
    assert.match(await client.say('EHLO client.example'), /SIZE 65536\b/)
    await client.begin(['a@example.org', 'b@example.org'])
    assert.match(await client.endMail(buildMail('large', 'x'.repeat(70_000))), /^552 /)
    assert.match(await client.say('MAIL FROM:<x@reporter.example>'), /^250 /)
    for (const [name, code] of [
      ['a', 250],
      ['b', 250],
      ['c', 452],
    ]) {
      assert.match(await client.say(`RCPT TO:<${name}@example.org>`), new RegExp(`^${code} `))
    }
    client.close()
    assert.deepEqual(channels.listLocations(), [
      `SMTP port ${port}`,
      `LMTP port ${channels.lmtpPort()}`,
      `LMTP socket ${lmtpSocket}`,
    ])
    // LMTP connections count separately, and all of them may come from one address.
    const lmtpPort = channels.lmtpPort() ?? 0
    const others = [await connectSmtp(lmtpPort, 'LHLO a'), await connectSmtp(lmtpPort, 'LHLO b')]
    await assert.rejects(connectSmtp(lmtpPort, 'LHLO c'), /421 /)
    for (const other of others) other.close()
  } finally {
    await channels.close()
  }
})

test('the log has one true line a listener: where mail is accepted, or why not; none without a listener', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = Object(taken.address())
  const lines: string[] = []
  const write = (line: string): number => lines.push(line)
  const log = createLog({ level: 'info', isForPeople: false, destination: { write } })
  const open = (smtpPort: number | null) =>
    openMailChannels({ ...withSettings({ smtpPort }), log, metrics: new Registry() })
  for (const smtpPort of [null, port]) await (await open(smtpPort)).close()
  const channels = await open(0)
  const openPort = channels.smtpPort()
  await channels.close()
  const told = lines.map((line) => JSON.parse(line)).map(({ level, msg }) => `${level} ${msg}`)
  assert.deepEqual(told, [
    `warn No mail is accepted by SMTP: Casework cannot listen on 127.0.0.1 port ${port} (EADDRINUSE). It tries again every ten seconds. Free the port, or choose another with CASEWORK_SMTP_PORT.`,
    `info Mail is accepted by SMTP on 127.0.0.1 port ${openPort}.`,
  ])
})
