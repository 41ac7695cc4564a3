// `casework report correct` and `casework report regression-case` as commands of their own.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { listMadeUpMails } from '../../test/made-up-mails.ts'

let app: TestApp
let url: string
let token: string
let folder: string
before(async () => {
  app = await openTestApp()
  url = await listen(app)
  token = await app.createToken()
  folder = await mkdtemp(join(tmpdir(), 'casework-correct-'))
})
after(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

let count = 0

async function keep(subject: string, text: string): Promise<string> {
  count += 1
  const body = [
    'From: Olga Blimp <olga.blimp@blimpworks.example>',
    'To: abuse@provider.example',
    `Subject: ${subject}`,
    `Message-ID: <${count}@blimpworks.example>`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    '',
    text,
  ].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await app.send('POST', '/beta/casework/reports', { token, body, headers })
  return answer.json().report_id
}

describe('casework report correct', () => {
  test('another type and link of the only event, shown before and after', async (t) => {
    const id = await keep('Port scan from 192.0.2.10', '192.0.2.10 scanned our ports.')
    const change = ['--type', 'Phishing', '--link', 'https://login.bad.example/in']
    const args = [
      'report',
      'correct',
      id,
      ...change,
      '--target',
      'bank.example',
      '--reason',
      'Wrong',
    ]
    const { code, stdout, stderr } = await runCasework(t, args, { url, token })
    assert.equal(stderr, '')
    assert.match(
      stdout,
      new RegExp(`^report ${id} {2}accepted {2}version 2\\n {2}changed {2}\\S+ {2}C-`),
    )
    assert.match(stdout, /^ {4}before {2}PortScan {2}ip 192\.0\.2\.10$/m)
    assert.match(stdout, /^ {4}after {3}Phishing .*https:\/\/login\.bad\.example\/in/m)
    assert.equal(code, 0)
  })

  test('--withdraw asks, and --yes answers; -o json prints the answer', async (t) => {
    const id = await keep('Port scan from 192.0.2.11', '192.0.2.11 scanned our ports.')
    const args = ['report', 'correct', id, '--withdraw']
    const asked = await runCasework(t, args, { url, token })
    assert.deepEqual([asked.code, asked.stdout], [2, ''])
    const done = await runCasework(t, [...args, '--yes', '-o', 'json'], { url, token })
    assert.deepEqual([done.code, JSON.parse(done.stdout).state], [0, 'rejected'])
  })

  test('--add to a rejected report, and a whole correction as JSON', async (t) => {
    const id = await keep('[Ticket 7] closed', 'Your request was closed. Thank you.')
    const add = ['report', 'correct', id, '--add', '--type', 'PortScan', '--ip', '192.0.2.12']
    const added = await runCasework(t, add, { url, token })
    assert.match(added.stdout, /accepted {2}version 2\n {2}added /, added.stderr)
    const file = join(folder, 'correction.json')
    await writeFile(file, JSON.stringify({ withdraw_all: true, reason: 'No' }))
    const args = ['report', 'correct', id, '--file', file, '--yes']
    assert.match((await runCasework(t, args, { url, token })).stdout, /rejected {2}version 3/)
  })

  test('code 2 without a change or with several events, 4 for an unknown report', async (t) => {
    const id = await keep(
      'Port scans from 192.0.2.13 and 192.0.2.14',
      'IPs:\n192.0.2.13\n192.0.2.14',
    )
    const run = (args: readonly string[]) =>
      runCasework(t, ['report', 'correct', ...args], { url, token })
    const several = await run([id, '--type', 'Spam'])
    assert.equal(several.code, 2)
    assert.match(several.stderr, /--event:\n {2}\S+ {2}PortScan {2}192\.0\.2\.1/)
    const one = await keep('Port scan from 192.0.2.15', '192.0.2.15 scanned our ports.')
    assert.equal((await run([one])).code, 2)
    assert.equal((await run(['00000000-0000-7000-8000-000000000000', '--withdraw'])).code, 4)
  })
})

describe('casework report regression-case', () => {
  test('anonymised, it is read by the tests of the reader and expects what was corrected', async (t) => {
    const id = await keep('Port scan from 192.0.2.20', '192.0.2.20 scanned 198.51.100.20.')
    const change = ['--type', 'LoginAttack', '--ip', '198.51.100.20']
    await runCasework(t, ['report', 'correct', id, ...change], { url, token })
    const args = ['report', 'regression-case', id, '--anonymise']
    const { code, stdout } = await runCasework(t, args, { url, token })
    assert.equal(code, 0)
    assert.doesNotMatch(stdout, /olga|blimp/i)
    await writeFile(join(folder, 'case.txt'), stdout)
    const [mail] = listMadeUpMails(folder)
    assert.deepEqual([mail?.kind, mail?.types], ['bystander', new Set(['LoginAttack'])])
    const [ip] = mail?.ip ?? []
    const [bystander] = mail?.not ?? []
    const line = `${bystander} scanned ${ip}.`
    assert.ok(mail?.bytes.toString().includes(line), stdout)
    const plain = await runCasework(t, ['report', 'regression-case', id], { url, token })
    assert.match(plain.stdout, /^ip: 198\.51\.100\.20$/m)
    assert.match(plain.stdout, /^reporter: olga\.blimp@blimpworks\.example$/m)
  })

  test('code 4 for an unknown report; a message where no case can be made', async (t) => {
    const run = (id: string) => runCasework(t, ['report', 'regression-case', id], { url, token })
    assert.equal((await run('00000000-0000-7000-8000-000000000000')).code, 4)
    const headers = { 'content-type': 'application/json' }
    const body = '{"xarf_version": "4.2.0"}'
    const sent = await app.send('POST', '/beta/casework/reports', { token, body, headers })
    const refused = await run(sent.json().report_id)
    assert.match(refused.stderr, /No test case can be made of this report: it is no mail\./)
  })
})
