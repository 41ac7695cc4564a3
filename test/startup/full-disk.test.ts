// The real program on a disk that has nothing left but its reserve. The test sets a reserve that is
// larger than any disk, as it cannot fill one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMail, connectSmtp } from '../mail-kit.ts'
import { createUsedFolder, startServe, stopServer } from './program.ts'

const EVENT = {
  event_date: '2026-01-01T00:00:00Z',
  event_type: 'Spam',
  ip: '192.0.2.1',
  sender_email: 'r@reporter.example',
}

test('on a nearly full disk', async (suite) => {
  const { dataDir, token } = await createUsedFolder(suite)
  const full = startServe(suite, dataDir, ['--smtp-port', '0'], {
    environment: { CASEWORK_DISK_RESERVE: '1000000000' },
  })
  const send = createSender(await full.whenReady, token)

  await suite.test('200 for look-ups and lists', async () => {
    assert.equal((await send('GET', '/beta/query/192.0.2.1')).status, 200)
    assert.equal((await send('POST', '/beta/quick-check', ['192.0.2.1'])).status, 200)
    assert.equal((await send('GET', '/beta/casework/cases')).status, 200)
  })

  for (const [what, path, body] of [
    ['an event', '/beta/casework/events', EVENT],
    ['events', '/beta/casework/events', [EVENT, { ...EVENT, ip: '192.0.2.2' }]],
    ['a listing', '/beta/listings', [{ item: '192.0.2.9', list: 'own', source: 'own' }]],
  ] as const) {
    await suite.test(`503 KERNEL_DISK_FULL with Retry-After for ${what}`, async () => {
      const refused = await send('POST', path, body)
      assert.equal(refused.status, 503, await refused.text())
      assert.equal(refused.headers.get('casework-problem'), 'KERNEL_DISK_FULL')
      assert.equal(refused.headers.get('retry-after'), '60')
    })
  }

  await suite.test('452 for a mail', async () => {
    const client = await connectSmtp(Number(/SMTP port (\d+)/.exec(full.stdout())?.[1]))
    await client.begin(['abuse@example.org'])
    assert.match(await client.endMail(buildMail('no-room')), /^452 /)
    client.close()
  })

  await suite.test('/readyz is 200, /readyz/write is 503, and the log says why', async () => {
    assert.equal((await send('GET', '/readyz')).status, 200)
    assert.equal((await send('GET', '/readyz/write')).status, 503)
    assert.match(full.stderr(), /The disk of the database is nearly full/)
  })
  await stopServer(full)

  await suite.test('201 for an event once there is room again', async (t) => {
    const again = startServe(t, dataDir)
    const sendAgain = createSender(await again.whenReady, token)
    assert.equal((await sendAgain('GET', '/readyz/write')).status, 200)
    assert.equal((await sendAgain('POST', '/beta/casework/events', EVENT)).status, 201)
    await stopServer(again)
  })
})

type Send = (method: string, path: string, body?: unknown) => Promise<Response>

function createSender(url: string, token: string): Send {
  return async (method, path, body) =>
    await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
}
