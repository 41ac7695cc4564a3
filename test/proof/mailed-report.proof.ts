// The whole way of a report through the real program, with real SMTP, HTTP and DNS servers on
// loopback: a mail opens a case, the shipped playbook mails the customer, the customer answers by
// mail and calls trigger-playbook, Verify looks twice, and the reporter hears the end.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type DnsType, openDnsServer } from '../fixtures/dns-server.ts'
import { type MailSink, openMailSink, type TakenMail } from '../fixtures/mail-sink.ts'
import { openClient } from '../mail-kit.ts'
import { createUsedFolder, startServe, stopServer } from '../startup/program.ts'
import { waitFor } from '../wait.ts'

const DESK = 'abuse@provider.example'
const PAGE_HOST = 'login.shop.example'
// A range is opened on the common ports only, so the page has one. The address is of this process
// alone, since tests run side by side.
const PAGE_ADDRESS = `127.88.${(process.pid >> 8) & 255}.${process.pid & 255}`
const PAGE_PORT = 8_080
// The sender of every incoming mail, as a proxy in front of the SMTP port names it. SPF proves the
// reporter by it; an unproven one gets no mail.
const CLIENT_ADDRESS = '192.0.2.5'
const RECORDS: Readonly<Record<string, Partial<Record<DnsType, string>>>> = {
  [PAGE_HOST]: { A: PAGE_ADDRESS },
  'reporter.example': { TXT: `v=spf1 ip4:${CLIENT_ADDRESS} -all` },
  '_dmarc.reporter.example': { TXT: 'v=DMARC1; p=reject' },
}
const REPORTER = 'ann@reporter.example'
const CUSTOMER = 'desk@shop.example'
const CASEWORK = '/beta/casework'

interface Desk {
  readonly smtpPort: number
  readonly send: (method: string, path: string, json?: object) => Promise<Answer>
  /** Ends the program, which must say that all is well. */
  readonly stop: () => Promise<void>
}

/** The fields of answers that the steps read. */
interface Answer {
  readonly [field: string]: unknown
  readonly id: string
  readonly version: number
  readonly items: readonly Answer[]
}

/** The program as an operator starts it: a relay, a DNS server, and one opened target. */
async function openDesk(t: TestContext, mail: MailSink): Promise<Desk> {
  const dns = await openDnsServer(({ name, type }) => {
    if (type === 'other' || RECORDS[name] === undefined) return { kind: 'code', code: 'nxdomain' }
    const value = RECORDS[name][type]
    if (value === undefined) return { kind: 'code', code: 'noerror' }
    return { kind: 'records', records: [{ type, value }] }
  })
  t.after(() => dns.close())
  const { dataDir, token } = await createUsedFolder(t)
  const environment = {
    CASEWORK_RELAY_URL: `smtp://127.0.0.1:${mail.port}`,
    CASEWORK_MAIL_FROM: `Abuse Desk <${DESK}>`,
    CASEWORK_MAIL_DOMAIN: 'in.provider.example',
    CASEWORK_OUTBOUND_ALLOW: `${PAGE_ADDRESS}/32`,
    CASEWORK_DNS_SERVERS: dns.address,
    CASEWORK_SMTP_PROXIES: '127.0.0.1',
  }
  const server = startServe(t, dataDir, [], { environment })
  const url = await server.whenReady
  const smtpPort = Number(/^ {2}mail .*SMTP port (\d+)/m.exec(server.stdout())?.[1])
  const send: Desk['send'] = async (method, path, json) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(method === 'PATCH' ? { 'if-match': '*' } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const answer = await fetch(url + path, { method, headers, ...body })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
  return { smtpPort, send, stop: () => stopServer(server) }
}

interface Page {
  status: number
  readonly requests: readonly string[]
}

/** The web server of the customer. */
async function openPage(t: TestContext): Promise<Page> {
  const requests: string[] = []
  const page: Page = { status: 200, requests }
  const server = createServer(({ method, headers, url }, response) => {
    requests.push(`${method} ${headers.host}${url}`)
    response.writeHead(page.status).end('Sign in')
  })
  await new Promise<void>((resolve) => server.listen(PAGE_PORT, PAGE_ADDRESS, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return page
}

/** Sends a mail by SMTP; the reply to its end. */
async function sendMail(
  desk: Desk,
  { from, to, subject, body }: Readonly<Record<'from' | 'to' | 'subject' | 'body', string>>,
): Promise<string> {
  const client = openClient(connect(desk.smtpPort, '127.0.0.1'))
  client.socket.write(`PROXY TCP4 ${CLIENT_ADDRESS} 198.51.100.1 40000 25\r\n`)
  await client.hear()
  await client.say('EHLO client.example')
  await client.begin([to], from)
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${crypto.randomUUID()}@${from.split('@')[1]}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...body.split('\n'),
  ]
  const reply = await client.endMail(lines.join('\r\n'))
  client.close()
  assert.match(reply, /^250 /)
  return reply
}

/** The next mail that the relay has taken. */
function whenTaken(mail: MailSink): Promise<TakenMail> {
  return waitFor(async () => mail.mails.shift() ?? null, 'a mail')
}

function readHeader({ text }: TakenMail, name: string): string {
  const found = new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'm').exec(text)?.[1] ?? ''
  return found.replace(/\r\n\s+/g, ' ')
}

/** The shipped playbook for new cases, a customer with its domain, and Verify switched on. */
async function setUp({ send }: Desk): Promise<void> {
  const imported = `${CASEWORK}/playbooks/import`
  const { id, version } = await send('POST', imported, { template: 'verify-after-fixed' })
  await send('POST', `${CASEWORK}/playbooks/${id}/versions/${version}/activate`)
  await send('PATCH', `${CASEWORK}/case-groups/default`, { playbook_id: id })
  await send('PATCH', '/beta/admin/tenants/default', { settings: { verify_targets: true } })
  const contacts = [{ email: CUSTOMER, purpose: 'abuse' }]
  await send('POST', `${CASEWORK}/customers`, { id: 'k-17', name: 'Shop AG', contacts })
  const resource = { kind: 'domain', value: 'shop.example', customer_id: 'k-17' }
  await send('POST', `${CASEWORK}/resources`, resource)
}

test('a report by mail becomes a case, the shipped playbook tells the customer, who answers and triggers it, Verify looks again, and the reporter hears the end', async (t) => {
  const mail = await openMailSink()
  t.after(() => mail.close())
  const page = await openPage(t)
  const desk = await openDesk(t, mail)
  await setUp(desk)
  const { send } = desk
  const say = (line: string): void => t.diagnostic(line)
  const tellMail = (taken: TakenMail): void => {
    const threads =
      readHeader(taken, 'In-Reply-To') === '' ? 'first of its thread' : 'in the thread'
    say(`  mail to ${taken.to.join()}: ${readHeader(taken, 'Subject')} (${threads})`)
  }

  const body = `Hello,\n\nthis page asks for passwords of our bank:\n\nhttp://${PAGE_HOST}:${PAGE_PORT}/signin\n\nPlease take it down.\n`
  const kept = await sendMail(desk, { from: REPORTER, to: DESK, subject: 'Phishing page', body })
  say(`1. the report is mailed in: ${kept}`)
  const caseId = await waitFor(async () => {
    const { items } = await send('GET', `${CASEWORK}/cases`)
    return items[0] === undefined ? null : items[0].id
  }, 'the case')
  const path = `${CASEWORK}/cases/${caseId}`
  const opened = await send('GET', path)
  say(`2. the case ${caseId} of customer ${String(opened['customer_id'])}`)
  assert.equal(opened['customer_id'], 'k-17')

  const notice = await whenTaken(mail)
  say('3. the playbook mails the customer:')
  tellMail(notice)
  assert.deepEqual(notice.to, [CUSTOMER])
  const replyTo = /<(.+)>/.exec(readHeader(notice, 'Reply-To'))?.[1] ?? ''

  const stranger = { from: 'eve@stranger.example', to: replyTo, subject: 'Re: it', body: 'No.' }
  await sendMail(desk, stranger)
  const text = 'Thank you. The site was hacked, we have cleaned it.'
  await sendMail(desk, { from: CUSTOMER, to: replyTo, subject: 'Re: Phishing', body: text })
  const comments = await waitFor(async () => {
    const { items } = await send('GET', `${path}/comments`)
    return items.length === 0 ? null : items
  }, 'the comment')
  assert.deepEqual(
    comments.map((one) => [one['text'], one['party']]),
    [[text, 'customer']],
  )
  say(`4. the answer by mail is a comment of the customer: ${text}`)
  const quarantined = await waitFor(async () => {
    const { items } = await send('GET', `${CASEWORK}/reports?state=quarantined`)
    return items.length === 0 ? null : items
  }, 'the verdict about the stranger')
  assert.equal(quarantined.length, 1)
  say('   the mail of a stranger to the same address is quarantined')

  // The answer ends the wait for bounces, and the run moves on.
  await waitFor(async () => {
    const { items } = await send('GET', `${path}/triggers`)
    return items.some((one) => one['node'] === 'wait') ? true : null
  }, 'the trigger at wait')
  await send('POST', `${path}/trigger-playbook`, { node: 'wait', path: 'fixed' })
  const back = await whenTaken(mail)
  say(
    '5. trigger-playbook {wait, fixed}: 202; Verify finds the page (200), so the customer is told:',
  )
  tellMail(back)
  assert.deepEqual(
    [back.to, readHeader(back, 'In-Reply-To')],
    [[CUSTOMER], readHeader(notice, 'Message-ID')],
  )

  page.status = 410
  await waitFor(async () => {
    const { items } = await send('GET', `${path}/triggers`)
    return items.some((one) => one['node'] === 'wait_more') ? true : null
  }, 'the trigger at wait_more')
  await send('POST', `${path}/trigger-playbook`, { node: 'wait_more', path: 'fixed' })
  const outcome = await whenTaken(mail)
  say(
    '6. trigger-playbook {wait_more, fixed}: 202; the page is gone (410), so the reporter is told:',
  )
  tellMail(outcome)
  assert.deepEqual(outcome.to, [REPORTER])
  assert.match(outcome.text, /what you reported is gone/)

  const ended = await waitFor(async () => {
    const row = await send('GET', path)
    return row['playbook_state'] === 'ended' ? row : null
  }, 'the end of the run')
  assert.deepEqual([ended['state'], ended['resolution']], ['RESOLVED', 'fixed'])
  assert.deepEqual(page.requests, [`GET ${PAGE_HOST}:8080/signin`, `GET ${PAGE_HOST}:8080/signin`])
  assert.equal(mail.mails.length, 0)
  const [run] = (await send('GET', `${path}/runs`)).items
  const { visits } = await send('GET', `${path}/runs/${String(run?.['run_id'])}`)
  const visited = (visits as readonly Answer[]).map((one) => String(one['node']))
  say(`7. the case is RESOLVED, fixed; the run went ${visited.join(', ')}`)
  const way =
    'begin work tell wait what look_page back wait_more what look_page resolved thank done'
  assert.deepEqual(visited, way.split(' '))
  await desk.stop()
})
