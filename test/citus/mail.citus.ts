// Mail over SMTP while a worker of the cluster is lost: 451 for the tenants on it, so that the
// sender keeps the mail, and 250 for the others.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { putReportAddress } from '../../src/casework/reports/mail/report-address-store.ts'
import { openTestApp, type TestApp } from '../harness.ts'
import {
  buildMail,
  connectSmtp,
  listReports,
  openMail,
  type SmtpClient,
  whenRead,
} from '../mail-kit.ts'
import { atEnd } from '../postgres-harness.ts'
import { waitUntil } from '../wait.ts'
import { bringBackWorker, killWorker, NOT_OURS } from './cluster.ts'
import { asAdministrator, readCluster } from './cluster-database.ts'

const cluster = readCluster()
const environment = { CASEWORK_SMTP_PORT: '0', CASEWORK_MAIL_AUTHENTICATION: 'off' }

interface MailTenant {
  readonly token: string
  readonly address: string
}

test('a mail while a worker is lost gets 451 and is kept once when the worker is back, and mails of tenants elsewhere get 250', async (t) => {
  if (cluster.folder === null) return t.skip(NOT_OURS)
  const app = await openTestApp({ environment })
  atEnd(t, () => app.close())
  const mail = await openMail(app)
  atEnd(t, () => mail.close())
  const lost = await createTenantOn(app, 1)
  const other = await createTenantOn(app, 2)
  const begun = await connectSmtp(mail.port)
  await begun.begin([lost.address])
  begun.socket.write(buildMail('begun-before'))
  const client = await connectSmtp(mail.port)

  const bringBack = loseWorker(t)
  assert.match(await begun.endMail(''), /^451 4\.3\.0 /)
  assert.match(await tryMail(client, 'lost', [lost.address]), /^451 4\.3\.0 /)
  assert.match(await tryMail(client, 'elsewhere', [other.address]), /^250 /)
  assert.match(await tryMail(client, 'both', [other.address, lost.address]), /^451 4\.3\.0 /)
  bringBack()

  for (const name of ['begun-before', 'lost', 'both']) {
    const to = name === 'both' ? [other.address, lost.address] : [lost.address]
    await waitUntil(async () => (await tryMail(client, name, to)).startsWith('250 '))
    await whenRead(app, lost.token, name)
  }
  await whenRead(app, other.token, 'elsewhere')
  await whenRead(app, other.token, 'both')
  // A mail that was kept although it was refused would be there twice.
  assert.deepEqual(await countKept(app, lost.token), {
    'begun-before': 1,
    lost: 1,
    both: 1,
  })
  assert.deepEqual(await countKept(app, other.token), { elsewhere: 1, both: 1 })
  client.close()
  begun.close()
})

/** The worker is killed at once; returned is what brings it back. */
function loseWorker(t: TestContext): () => void {
  let isAway = true
  const bringBack = () => {
    if (isAway) bringBackWorker(cluster, 1)
    isAway = false
  }
  killWorker(cluster, 1)
  atEnd(t, async () => bringBack())
  return bringBack
}

/** The last reply to a mail, of whichever command refused it. */
async function tryMail(client: SmtpClient, name: string, to: readonly string[]): Promise<string> {
  assert.match(await client.say('RSET'), /^250 /)
  const commands = ['MAIL FROM:<bounce@reporter.example>', ...to.map((one) => `RCPT TO:<${one}>`)]
  for (const command of [...commands, 'DATA']) {
    const reply = await client.say(command)
    if (!/^[23]/.test(reply)) return reply
  }
  return await client.endMail(buildMail(name))
}

let number = 0

/** A tenant whose rows lie on this worker, with an address for its reports. */
async function createTenantOn(app: TestApp, worker: 1 | 2): Promise<MailTenant> {
  for (;;) {
    number += 1
    const tenantId = `mail-${number}`
    const port = await asAdministrator(app.connection, async (administrator) => {
      const { rows } = await administrator.query<{ nodeport: number }>(
        `select nodeport from citus_shards
         where shardid = get_shard_id_for_distribution_column('report', $1::text)`,
        [tenantId],
      )
      return rows[0]?.nodeport
    })
    if (port !== cluster.workers[worker - 1]?.port) continue
    await app.createTenant(tenantId)
    const address = `abuse@${tenantId}.example`
    const { kysely } = app.services.foundation.database
    await putReportAddress(kysely, { address, tenantId, isTrap: false })
    return { address, token: await app.createToken({ tenantId }) }
  }
}

async function countKept(app: TestApp, token: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const { message_id: id = '' } of await listReports(app, token)) {
    const name = id.slice(1, id.indexOf('@'))
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
