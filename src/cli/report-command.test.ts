// `casework report explain` and `casework import mail` as commands of their own, against a server.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { listen, runCasework, serveStub } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { findPackageRoot } from '../values/resources.ts'
import { formatExplained } from './report-command.ts'

const EXAMPLE = join(findPackageRoot(), 'examples', 'xarf', 'connection-login_attack.json')

let app: TestApp
let url: string
let token: string
let folder: string
before(async () => {
  app = await openTestApp()
  url = await listen(app)
  token = await app.createToken()
  folder = await mkdtemp(join(tmpdir(), 'casework-report-'))
})
after(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function countReports(): Promise<number> {
  const answer = await app.send('GET', '/beta/casework/reports?via=import&limit=1000', { token })
  return answer.json().items.length
}

async function readExamples(): Promise<readonly string[]> {
  const report = JSON.parse(await readFile(EXAMPLE, 'utf8'))
  return Array.from({ length: 9 }, (_, index) =>
    JSON.stringify({ ...report, report_id: `0b8f7a0e-4a0f-4f43-8a39-00000000010${index}` }),
  )
}

describe('casework report explain', () => {
  test('shows each value with its place, and stores nothing', async (t) => {
    const { code, stdout, stderr } = await runCasework(t, ['report', 'explain', EXAMPLE], {
      url,
      token,
    })
    const { source_identifier: ip } = JSON.parse(await readFile(EXAMPLE, 'utf8'))
    assert.equal(stderr, '')
    assert.match(
      stdout,
      /^accepted {2}read as xarf_v4 {2}1 event\n\nevent 1 {2}\w+ {2}[\d.]+ {2}created\n/,
    )
    assert.match(stdout, new RegExp(`^ {2}ip +${ip.replaceAll('.', '\\.')}$`, 'm'))
    assert.match(stdout, /^ +json: /m)
    assert.equal(code, 0)
    const list = await app.send('GET', '/beta/casework/reports', { token })
    assert.deepEqual(list.json().items, [])
  })

  test('as JSON from standard input; code 5 when no event is read', async (t) => {
    const input = await readFile(EXAMPLE, 'utf8')
    const args = ['report', 'explain', '-', '-o', 'json']
    const good = await runCasework(t, args, { url, token, input })
    assert.deepEqual([good.code, JSON.parse(good.stdout).state], [0, 'accepted'])
    const bad = await runCasework(t, args, { url, token, input: '{"xarf_version": "4.2.0"}' })
    assert.deepEqual([bad.code, JSON.parse(bad.stdout).state], [5, 'rejected'])
    const { problems } = JSON.parse(bad.stdout)
    assert.ok(problems.length > 5)
    const human = await runCasework(t, ['report', 'explain', '-'], {
      url,
      token,
      input: '{"xarf_version": "4.2.0"}',
    })
    for (const { path, reason } of problems) {
      assert.match(human.stdout, new RegExp(`^ {4}${path} ${reason}$`, 'm'))
    }
  })

  test('an mbox is explained mail by mail, with who stands in for a missing reporter', async (t) => {
    const archive = join(folder, 'two-reports')
    const separator = 'From reports@reporter.example Sun Mar  1 10:05:00 2026'
    const table = 'ip,timestamp,type\n198.51.100.7,2026-03-01T10:00:00Z,brute-force'
    await writeFile(archive, `${separator}\n${table}\n\n${separator}\n{"xarf_version": "4.2.0"}\n`)
    const args = ['report', 'explain', archive, '--reporter', 'desk@reporter.example']
    const { code, stdout } = await runCasework(t, args, { url, token })
    assert.match(stdout, /^mail 1\naccepted [^]*desk@reporter\.example[^]*\nmail 2\nrejected /)
    assert.equal(code, 5)
    const asJson = await runCasework(t, [...args, '-o', 'json'], { url, token })
    const lines = asJson.stdout.trim().split('\n')
    assert.deepEqual(
      lines.map((line) => [JSON.parse(line).place, JSON.parse(line).state]),
      [
        ['mail 1', 'accepted'],
        ['mail 2', 'rejected'],
      ],
    )
  })

  test('a refused mail names the rule that decided, and the words of the mail', async (t) => {
    const input = [
      'From: desk@hoster.example',
      'To: abuse@provider.example',
      'Subject: [Ticket 12] closed',
      'Date: Tue, 03 Nov 2026 10:00:00 +0000',
      '',
      'Your request was closed. Thank you.',
    ].join('\r\n')
    const asJson = ['report', 'explain', '-', '-o', 'json']
    const { decided_by: rule } = JSON.parse(
      (await runCasework(t, asJson, { url, token, input })).stdout,
    )
    assert.deepEqual(rule, { rule: 'closed-ticket', words: 'ticket 12] closed' })
    const { stdout } = await runCasework(t, ['report', 'explain', '-'], { url, token, input })
    assert.match(stdout, /^ {2}rule closed-ticket by the words “ticket 12\] closed”$/m)
  })

  test('code 4 without the file, code 3 without a token', async (t) => {
    const absent = await runCasework(t, ['report', 'explain', join(folder, 'no')], { url, token })
    assert.equal(absent.code, 4)
    assert.equal((await runCasework(t, ['report', 'explain', EXAMPLE], { url })).code, 3)
  })

  test('text of a report cannot move the cursor, and passed-over candidates are told', () => {
    const finding = {
      field: '/event_details/url',
      value: 'http://phish.example/\u001b[2J',
      part: 'text',
      line: 3,
      excerpt: '\u0007hxxp',
      role: 'reported url',
      rank: 2,
      reason: 'It was refanged.',
      rule: 'label',
      words: 'bad\u001b[1m page',
    }
    const text = formatExplained(
      { state: 'rejected', reason: 'No.', events: [], passed_over: [finding] },
      (part) => part,
    )
    assert.equal(
      text,
      `rejected  0 events
  No.

passed over
  event_details.url  http://phish.example/\\x1b[2J
                     text, line 3: reported url (candidate 2): It was refanged.
                     rule label by the words “bad\\x1b[1m page”
                     | \\x07hxxp
`,
    )
  })
})

describe('casework import mail', () => {
  const separator = 'From reports@reporter.example Sun Mar  1 10:05:00 2026'

  async function writeMbox(name: string, bodies: readonly string[]): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, bodies.map((body) => `${separator}\n${body}\n\n`).join(''))
    return path
  }

  test('every mail of an mbox is kept and marked; code 5 and its number when one is refused', async (t) => {
    const reports = await readExamples()
    const path = await writeMbox('mixed', [...reports, '{"xarf_version": "4.2.0"}'])
    const dry = await runCasework(t, ['import', 'mail', path, '--dry-run'], { url, token })
    assert.match(dry.stdout, /^10 mails \(nothing was stored\): 9 accepted with 9 events \(9 new\)/)
    assert.equal(await countReports(), 0)
    const { code, stdout, stderr } = await runCasework(t, ['import', 'mail', path], { url, token })
    assert.equal(
      stdout,
      '10 mails: 9 accepted with 9 events (9 new), 1 rejected, 0 quarantined, 0 refused\n',
    )
    assert.match(stderr, /^mail 10: The report is not valid XARF/)
    assert.equal(code, 5)
    assert.equal(await countReports(), 10)
    const again = await runCasework(t, ['import', 'mail', path, '-o', 'json'], { url, token })
    assert.equal(JSON.parse(again.stdout).created, 0)
  })

  test('an empty mail is refused, and the others are taken', async (t) => {
    const [report = ''] = await readExamples()
    const path = await writeMbox('with-empty', ['', report])
    const { code, stdout, stderr } = await runCasework(t, ['import', 'mail', path], { url, token })
    assert.equal(code, 5, stderr)
    assert.match(stdout, /^2 mails: 1 accepted with .* 0 quarantined, 1 refused\n$/)
    assert.match(stderr, /^mail 1: The body is empty/)
  })

  test('a failure ends the import: nothing is sent after it is told', async (t) => {
    const mails = 400
    let sent = 0
    const stub = await serveStub(t, (request, response) => {
      sent += 1
      request.resume()
      if (sent === 1) response.destroy()
      else response.writeHead(201).end('{"state":"accepted","events":[]}')
    })
    const path = await writeMbox(
      'long',
      Array.from({ length: mails }, (_, at) => `Subject: ${at}\n\nx`),
    )
    const { code, stderr } = await runCasework(t, ['import', 'mail', path], { url: stub, token })
    assert.equal(code, 7, stderr)
    assert.ok(sent < mails / 2, `${sent} were sent`)
  })

  test('code 0 when all are accepted, 1 when none is, 4 without the file, 3 at a token without the scope', async (t) => {
    const run = async (path: string, as = token) =>
      (await runCasework(t, ['import', 'mail', path], { url, token: as })).code
    assert.equal(await run(await writeMbox('good', await readExamples())), 0)
    assert.equal(await run(await writeMbox('bad', ['{"xarf_version": "4.2.0"}'])), 1)
    assert.equal(await run(join(folder, 'absent')), 4)
    const reader = await app.createToken({ scopes: ['events:read'] })
    assert.equal(await run(join(folder, 'good'), reader), 3)
  })
})
