// The limits of a mail listener, each reached over a real socket, and an unreachable database.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import type { SMTPServerSession } from 'smtp-server'
import { openDatabaseProxy } from '../../../../test/database-proxy.ts'
import { withApp } from '../../../../test/harness.ts'
import {
  buildMail,
  connectSmtp,
  listReports,
  openClient,
  whenClosed,
  whenRead,
} from '../../../../test/mail-kit.ts'
import { query } from '../../../../test/playbook-fixtures.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { createQuota } from '../../../kernel/async/quota.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { createDatabase } from '../../../kernel/db/database.ts'
import { silentLog } from '../../../kernel/log.ts'
import type { ReportDeps } from '../process-report.ts'
import {
  MAIL_LIMITS,
  type MailLimits,
  type MailListener,
  type MailListenerOptions,
  startMailListener,
} from './mail-listener.ts'
import { createMailMetrics, type MailMetrics } from './mail-metrics.ts'
import { makeCertificate } from './own-certificate.ts'
import { createReadingQueue, type ReadingQueue } from './reading-queue.ts'
import { receiveMail } from './receive-mail.ts'
import { putReportAddress } from './report-address-store.ts'

let metrics: MailMetrics
let reading: ReadingQueue
after(() => reading.close())
const app = withApp({ environment: { CASEWORK_MAIL_AUTHENTICATION: 'off' } }, async () => {
  metrics = createMailMetrics(app.services.foundation.metrics)
  reading = createReadingQueue(app.services.casework.reports, metrics)
})

interface Changes extends Partial<MailLimits> {
  readonly memoryBytes?: number
  readonly via?: 'smtp' | 'lmtp'
  readonly reports?: ReportDeps
  /** Called before each database query. */
  readonly readStoreMs?: () => number
}

// Far more than any machine needs, for tests that are not about timeouts.
const PATIENT_MS = 60_000
// The defaults of the settings.
const LIMITS: MailLimits = {
  ...MAIL_LIMITS,
  bytesMax: 26_214_400,
  connectionsMax: 200,
  connectionsPerAddress: 50,
  recipientsMax: 100,
  mailsPerMinute: 0,
}

function buildOptions({
  memoryBytes = 1e6,
  reports = app.services.casework.reports,
  via = 'smtp',
  readStoreMs = () => PATIENT_MS,
  ...limits
}: Changes): MailListenerOptions {
  return {
    via,
    address: { host: '127.0.0.1', port: 0 },
    name: 'casework.example',
    certified: makeCertificate('casework.example', Date.now()),
    proxies: [],
    intake: {
      reports,
      reading,
      metrics,
      log: silentLog,
      get storeMs() {
        return readStoreMs()
      },
    },
    // All clients of these tests have one address.
    budget: createQuota({ max: memoryBytes, keyMax: memoryBytes }),
    limits: { ...LIMITS, ...limits },
    clock: systemClock,
  }
}

async function withListener(
  changes: Changes,
  work: (port: number) => Promise<void>,
): Promise<void> {
  const listener: MailListener = await startMailListener(buildOptions(changes))
  try {
    await work(listener.port ?? 0)
  } finally {
    await listener.close()
  }
}

async function countRefused(reason: string): Promise<number> {
  const { values } = await metrics.refused.get()
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0
}

async function isKept(id: string): Promise<boolean> {
  const reports = await listReports(app, app.token)
  return reports.some((report) => report.message_id === `<${id}@reporter.example>`)
}

const BIG = 'x'.repeat(76).concat('\n').repeat(700)

test('552 for a mail over the limit that did not announce it, and the next one on the connection is kept', async () => {
  await withListener({ bytesMax: 50_000 }, async (port) => {
    const client = await connectSmtp(port)
    assert.match(await client.sendMail(buildMail('big', BIG)), /^552 /)
    assert.match(await client.sendMail(buildMail('after-big')), /^250 /)
    client.close()
  })
  assert.deepEqual([await isKept('big'), await isKept('after-big')], [false, true])
  assert.equal(await countRefused('too_large'), 1)
})

test('552 and the end of the connection for a client that sends on and on after its mail became too large', async () => {
  await withListener({ bytesMax: 50_000 }, async (port) => {
    const client = await connectSmtp(port)
    await client.begin()
    client.socket.write(BIG.repeat(3))
    assert.match(await client.hear(), /^552 5\.3\.4 /)
    await whenClosed(client)
  })
})

test('LMTP: 552 for each recipient of a mail that goes on and on', async () => {
  await withListener({ bytesMax: 50_000, via: 'lmtp' }, async (port) => {
    const client = await connectSmtp(port, 'LHLO client.example')
    await client.begin(['a@example.org', 'b@example.org'])
    client.socket.write(BIG.repeat(3))
    assert.match(await client.hear(), /^552 5\.3\.4 /)
    assert.match(await client.hear(), /^552 5\.3\.4 /)
    await whenClosed(client)
  })
})

test('452 while too much mail is in memory, and the share is given back', async () => {
  await withListener({ memoryBytes: 60_000 }, async (port) => {
    const holder = await connectSmtp(port)
    await holder.begin()
    holder.socket.write(`${buildMail('holder')}\r\n${BIG}`)
    const other = await connectSmtp(port)
    // The second client is refused as soon as the bytes of the first are counted.
    await waitUntil(async () => {
      const reply = await other.sendMail(buildMail('other', BIG))
      return reply.startsWith('452 ')
    })
    assert.match(await holder.endMail(''), /^250 /)
    assert.match(await other.sendMail(buildMail('other-again', BIG)), /^250 /)
    holder.close()
    other.close()
  })
  assert.equal(await isKept('holder'), true)
})

test('LMTP: 452 for a recipient that is given twice, and one answer for the one that was taken', async () => {
  await withListener({ via: 'lmtp' }, async (port) => {
    const client = await connectSmtp(port, 'LHLO client.example')
    await client.say('MAIL FROM:<bounce@reporter.example>')
    assert.match(await client.say('RCPT TO:<abuse@example.org>'), /^250 /)
    assert.match(await client.say('RCPT TO:<ABUSE@example.org>'), /^452 /)
    await client.say('DATA')
    assert.match(await client.endMail(buildMail('repeated')), /^250 /)
    assert.match(await client.say('NOOP'), /^250 /)
    client.close()
  })
})

test('421 for a client that says nothing, and for one that sends its mail byte by byte without an end', async () => {
  await withListener({ silenceMs: 2_000 }, async (port) => {
    const client = await connectSmtp(port)
    assert.match(await client.hear(), /^421 /)
    await whenClosed(client)
  })
  await withListener({ mailMs: 1_000, silenceMs: 30_000 }, async (port) => {
    const client = await connectSmtp(port)
    await client.begin()
    const drip = setInterval(() => client.socket.write('x'), 50)
    try {
      assert.match(await client.hear(), /^421 /)
    } finally {
      clearInterval(drip)
    }
    await whenClosed(client)
  })
  assert.equal(await countRefused('too_slow'), 1)
})

test('what a client sends after its mail was too slow is neither kept nor counted', async () => {
  const budget = createQuota({ max: 1_000, keyMax: 1_000 })
  const stream = new PassThrough()
  const envelope = { mailFrom: false, rcptTo: [{ address: 'abuse@example.org' }] }
  const session = { remoteAddress: '192.0.2.1', envelope } as unknown as SMTPServerSession
  const options = { ...buildOptions({ mailMs: 1 }), budget }
  const received = receiveMail(options, { session, stream, tenants: new Map() })
  stream.write('x'.repeat(400))
  await assert.rejects(received, { reason: 'too_slow' })
  stream.write('x'.repeat(400))
  await once(stream.end(), 'end')
  assert.equal(budget.open(null).take(1_000), true)
})

test('a connection has an end, however busy it is', async () => {
  await withListener({ connectionMs: 2_000 }, async (port) => {
    const client = await connectSmtp(port)
    await waitUntil(async () => (await client.say('NOOP')).startsWith('421 '))
    await whenClosed(client)
  })
})

test('421 for one connection too many of an address; another place is free when one ends', async () => {
  await withListener({ connectionsPerAddress: 2 }, async (port) => {
    const clients = [await connectSmtp(port), await connectSmtp(port)]
    const refused = openClient(connect(port, '127.0.0.1'))
    assert.match(await refused.hear(), /^421 /)
    await whenClosed(refused)
    clients[0]?.close()
    await waitUntil(async () => {
      const next = openClient(connect(port, '127.0.0.1'))
      const greeting = await next.hear()
      next.close()
      return greeting.startsWith('220')
    })
    clients[1]?.close()
  })
})

test('451 for one mail too many a minute, 452 for one recipient too many', async () => {
  await withListener({ mailsPerMinute: 2, recipientsMax: 2 }, async (port) => {
    const client = await connectSmtp(port)
    assert.match(await client.sendMail(buildMail('fast-1')), /^250 /)
    assert.match(await client.say('MAIL FROM:<x@reporter.example>'), /^250 /)
    for (const address of ['a', 'b']) {
      assert.match(await client.say(`RCPT TO:<${address}@example.org>`), /^250 /)
    }
    assert.match(await client.say('RCPT TO:<c@example.org>'), /^452 /)
    await client.say('RSET')
    assert.match(await client.say('MAIL FROM:<x@reporter.example>'), /^451 /)
    client.close()
  })
})

for (const [via, hello] of [
  ['smtp', 'EHLO client.example'],
  ['lmtp', 'LHLO client.example'],
] as const) {
  test(`${via}: 421 after a hundred refusals in a row, of whatever kind`, async () => {
    await withListener({ via, recipientsMax: 2, unknownRecipientsMax: 1_000 }, async (port) => {
      const client = await connectSmtp(port, hello)
      await client.say('MAIL FROM:<x@reporter.example>')
      for (const address of ['a', 'b']) {
        assert.match(await client.say(`RCPT TO:<${address}@example.org>`), /^250 /)
      }
      const kinds = ['RCPT TO:<c@example.org>', 'RCPT TO:<>', 'RCPT TO:<d@example.org>']
      for (let count = 1; count < 100; count += 1) {
        assert.match(await client.say(kinds[count % 3] ?? ''), /^(452|501) /)
      }
      client.socket.write('RCPT TO:<c@example.org>\r\n')
      assert.match(await client.hear(), /^452 /)
      assert.match(await client.hear(), /^421 4\.4\.2 Too many refusals/)
      await whenClosed(client)
    })
  })

  test(`${via}: a mail that is kept begins the count of refusals again`, async () => {
    await withListener({ via, recipientsMax: 1 }, async (port) => {
      const client = await connectSmtp(port, hello)
      for (let round = 0; round < 3; round += 1) {
        for (let count = 0; count < 60; count += 1) {
          assert.match(await client.say('RCPT TO:<c@example.org>'), /^503 /)
        }
        assert.match(await client.sendMail(buildMail(`${via}-${round}`)), /^250 /)
      }
      client.close()
    })
  })

  test(`${via}: 500 and the end of the connection for a command that ends in a bare line feed`, async () => {
    await withListener({ via }, async (port) => {
      for (const words of ['NOOP\n', 'NOOP\r\nNOOP\nNOOP\r\n', '\n', 'x\r\n\n']) {
        const client = await connectSmtp(port, hello)
        client.socket.write(words)
        const replies: string[] = []
        while (!/^500 5\.5\.2 .*CR LF/.test(replies.at(-1) ?? '')) replies.push(await client.hear())
        assert.ok(replies.length <= 2, replies.join())
        await whenClosed(client)
      }
      // The line break may come in two pieces.
      const split = await connectSmtp(port, hello)
      split.socket.write('NOOP\r\nRSET\r')
      assert.match(await split.hear(), /^250 /)
      split.socket.write('\n')
      assert.match(await split.hear(), /^250 /)
      split.close()
    })
  })

  test(`${via}: a bare line feed within a mail is kept, also when it comes with DATA`, async () => {
    await withListener({ via }, async (port) => {
      const client = await connectSmtp(port, hello)
      await client.say('MAIL FROM:<x@reporter.example>')
      await client.say('RCPT TO:<abuse@example.org>')
      const mail = buildMail(`${via}-bare`).replaceAll('\r\n', '\n')
      client.socket.write(`DATA\r\n${mail}\n.\nMAIL FROM:<y@reporter.example>\r\n.\r\n`)
      assert.match(await client.hear(), /^354 /)
      assert.match(await client.hear(), /^250 /)
      assert.match(await client.say('NOOP'), /^250 /)
      client.close()
    })
    assert.equal(await isKept(`${via}-bare`), true)
  })
}

test('421 for a line that does not end, and for what is no mail client', async () => {
  await withListener({}, async (port) => {
    for (const words of ['x'.repeat(8_000), 'GET / HTTP/1.1\r\n']) {
      const client = await connectSmtp(port)
      client.socket.write(words)
      assert.match(await client.hear(), /^421 /)
      await whenClosed(client)
    }
  })
})

test('a mail that breaks off is not kept, nor one whose end has bare line feeds', async () => {
  await withListener({}, async (port) => {
    const client = await connectSmtp(port)
    await client.begin()
    client.socket.write(buildMail('broken-off'))
    client.socket.end()
    await whenClosed(client)
    await waitUntil(async () => (await countRefused('broken_off')) > 0)
    const smuggler = await connectSmtp(port)
    await smuggler.begin()
    smuggler.socket.write('Subject: one\r\n\r\nbody\n.\nMAIL FROM:<y@reporter.example>\n.\r\n')
    // Only CRLF.CRLF ends a mail (RFC 5321 section 4.1.1.4), so all of this is one mail.
    assert.match(await smuggler.endMail(buildMail('smuggled')), /^250 /)
    assert.match(await smuggler.say('NOOP'), /^250 /)
    smuggler.close()
  })
  assert.equal(await isKept('broken-off'), false)
})

test('451 while the database is away, at RCPT and at the end of a mail; the same mail is kept when it is back', async () => {
  const proxy = await openDatabaseProxy(app.connection)
  const database = createDatabase({ connection: proxy.connection, poolMax: 4, log: silentLog })
  const reports = { ...app.services.casework.reports, db: database.kysely }
  try {
    await withListener({ reports }, async (port) => {
      const client = await connectSmtp(port)
      await client.begin()
      client.socket.write(buildMail('away'))
      await proxy.cut()
      assert.match(await client.endMail(''), /^451 /)
      assert.match(await client.say('MAIL FROM:<x@reporter.example>'), /^250 /)
      assert.match(await client.say('RCPT TO:<abuse@example.org>'), /^451 /)
      await client.say('RSET')
      await proxy.mend()
      assert.match(await client.sendMail(buildMail('back')), /^250 /)
      client.close()
    })
    await whenRead(app, app.token, 'back')
    assert.equal(await isKept('away'), false)
  } finally {
    await database.close()
    await proxy.close()
  }
})

test('452 while the disk of the database is full; the same mail is kept when there is room', async () => {
  await query(
    app,
    `create function refuse_report() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
  )
  const trigger = 'before insert on report for each row execute function refuse_report()'
  await query(app, `create trigger refuse_report ${trigger}`)
  await withListener({}, async (port) => {
    const client = await connectSmtp(port)
    assert.match(await client.sendMail(buildMail('no-room')), /^452 /)
    await query(app, 'drop trigger refuse_report on report')
    assert.match(await client.sendMail(buildMail('room')), /^250 /)
    client.close()
  })
  assert.equal(await isKept('no-room'), false)
  assert.equal(await isKept('room'), true)
})

test('closing answers idle clients with 421 and lets a mail under way come to its end', async () => {
  let whenSent: Promise<string> | undefined
  let idle: Promise<string> | undefined
  await withListener({}, async (port) => {
    const waiting = await connectSmtp(port)
    idle = waiting.hear()
    const client = await connectSmtp(port)
    await client.begin()
    client.socket.write(buildMail('at-close'))
    whenSent = client.endMail('')
  })
  assert.match(String(await idle), /^421 /)
  assert.match(String(await whenSent), /^250 /)
  assert.equal(await isKept('at-close'), true)
})

test('451 4.3.0 when the database says nothing, at the end of a mail and at RCPT; what was refused is never kept', async () => {
  const proxy = await openDatabaseProxy(app.connection)
  // One connection, so that the later queries run after those of the refused mail.
  const database = createDatabase({ connection: proxy.connection, poolMax: 1, log: silentLog })
  const reports = { ...app.services.casework.reports, db: database.kysely }
  let storeMs = PATIENT_MS
  try {
    await withListener({ reports, readStoreMs: () => storeMs }, async (port) => {
      const client = await connectSmtp(port)
      await client.begin()
      client.socket.write(buildMail('frozen'))
      proxy.freeze()
      storeMs = 100
      assert.match(await client.endMail(''), /^451 4\.3\.0 The mail could not be stored/)
      assert.match(await client.say('MAIL FROM:<x@reporter.example>'), /^250 /)
      assert.match(await client.say('RCPT TO:<abuse@example.org>'), /^451 4\.3\.0 /)
      await client.say('RSET')
      storeMs = PATIENT_MS
      proxy.thaw()
      assert.match(await client.sendMail(buildMail('thawed')), /^250 /)
      client.close()
    })
    await whenRead(app, app.token, 'thawed')
    assert.equal(await isKept('frozen'), false)
  } finally {
    proxy.thaw()
    await database.close()
    await proxy.close()
  }
})

test('LMTP: a database that says nothing is waited for once a mail, and each recipient has its answer', async () => {
  const proxy = await openDatabaseProxy(app.connection)
  const database = createDatabase({ connection: proxy.connection, poolMax: 4, log: silentLog })
  const reports = { ...app.services.casework.reports, db: database.kysely }
  for (const name of ['east', 'west']) {
    await query(app, 'insert into tenant (id, name) values ($1, $1)', [name])
    await putReportAddress(app.services.foundation.database.kysely, {
      address: `*@${name}.example`,
      tenantId: name,
      isTrap: false,
    })
  }
  let storeMs = PATIENT_MS
  let asked = 0
  const readStoreMs = (): number => {
    asked += 1
    return storeMs
  }
  try {
    await withListener({ reports, readStoreMs, via: 'lmtp' }, async (port) => {
      const client = await connectSmtp(port, 'LHLO client.example')
      await client.begin(['a@east.example', 'b@west.example'])
      client.socket.write(buildMail('two-frozen'))
      proxy.freeze()
      storeMs = 100
      const askedBefore = asked
      assert.match(await client.endMail(''), /^451 4\.3\.0 /)
      assert.match(await client.hear(), /^451 4\.3\.0 /)
      assert.equal(asked, askedBefore + 1)
      client.close()
    })
  } finally {
    proxy.thaw()
    await database.close()
    await proxy.close()
    await query(app, 'delete from report_address')
  }
})
