// The real program on a disk that has nothing left but its reserve: a reserve that is larger than
// any disk stands for it.

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

test('a nearly full disk: look-ups and lists go on, and what stores is refused until there is room', async (t) => {
  const { dataDir, token } = await createUsedFolder(t)
  const full = startServe(t, dataDir, ['--smtp-port', '0'], {
    environment: { CASEWORK_DISK_RESERVE: '1000000000' },
  })
  const send = createSender(await full.whenReady, token)
  assert.equal((await send('GET', '/beta/query/192.0.2.1')).status, 200)
  assert.equal((await send('POST', '/beta/quick-check', ['192.0.2.1'])).status, 200)
  assert.equal((await send('GET', '/beta/casework/cases')).status, 200)
  for (const body of [EVENT, [EVENT, { ...EVENT, ip: '192.0.2.2' }]]) {
    const refused = await send('POST', '/beta/casework/events', body)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('casework-problem'), 'KERNEL_DISK_FULL')
    assert.equal(refused.headers.get('retry-after'), '60')
  }
  const listing = { item: '192.0.2.9', list: 'own', source: 'own' }
  const pushed = await send('POST', '/beta/listings', [listing])
  assert.equal(pushed.status, 503, await pushed.text())
  const port = Number(/SMTP port (\d+)/.exec(full.stdout())?.[1])
  const client = await connectSmtp(port)
  await client.begin(['abuse@example.org'])
  assert.match(await client.endMail(buildMail('no-room')), /^452 /)
  client.close()
  assert.equal((await send('GET', '/readyz')).status, 200)
  assert.equal((await send('GET', '/readyz/write')).status, 503)
  assert.match(full.stderr(), /The disk of the database is nearly full/)
  await stopServer(full)

  const again = startServe(t, dataDir)
  const sendAgain = createSender(await again.whenReady, token)
  assert.equal((await sendAgain('GET', '/readyz/write')).status, 200)
  assert.equal((await sendAgain('POST', '/beta/casework/events', EVENT)).status, 201)
  await stopServer(again)
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
