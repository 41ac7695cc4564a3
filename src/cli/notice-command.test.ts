// `casework notice` and `casework suppression` against a running server, and a test of the relay
// over STARTTLS with a certificate of our own.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { openMailSink } from '../../test/fixtures/mail-sink.ts'
import { type NoticeApp, openNoticeApp } from '../../test/notice-kit.ts'
import { query } from '../../test/query.ts'
import { makeCertificate } from '../casework/reports/mail/own-certificate.ts'

let url: string
let app: NoticeApp
let folder: string
before(async () => {
  app = await openNoticeApp()
  url = await listen(app)
  folder = mkdtempSync(join(tmpdir(), 'casework-notice-'))
})
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

function writeFile(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('casework notice lists, shows, cancels, sends again and previews, and says what cannot be done', async (t) => {
  const run = (...args: string[]) => runCasework(t, ['notice', ...args], { url, token: app.token })
  const event = {
    event_date: '2026-11-20T10:00:00Z',
    event_type: 'Spam',
    ip: '192.0.2.7',
    customer_id: 'c-1',
  }
  const sent = await app.send('POST', '/beta/casework/events', { token: app.token, json: event })
  const caseId = sent.json().case_id
  const [row] = await query(
    app.connection,
    `insert into notice (tenant_id, id, case_id, purpose, template, language, party, recipient, subject, text, state, message_id, thread, created_by)
     select tenant_id, gen_random_uuid(), id, 'answer', 'answer', 'en', 'other', 'x@peer.example', 'About \u001b[31m your mail', 'Line one\nLine two', 'waiting', 'm', 'm', 'x'
     from abuse_case where id = '${caseId}' returning id`,
  )
  const id = String(row?.['id'])
  const listed = await run('list', '--state', 'waiting', '--recipient', 'x@peer.example')
  assert.match(listed.stdout, new RegExp(`^${id} .* waiting .* answer +x@peer.example`, 'm'))
  assert.equal(listed.stdout.includes('\u001b'), false)
  assert.equal((await run('list', '--state', 'sent')).stdout.includes(id), false)
  const json = await run('list', '--case-id', caseId, '-o', 'json')
  assert.deepEqual(
    JSON.parse(json.stdout).items.map((one: { id: string }) => one.id),
    [id],
  )
  const shown = await run('show', id)
  assert.match(shown.stdout, /^recipient +x@peer\.example$/m)
  assert.match(shown.stdout, /\nLine one\nLine two\n$/)
  assert.equal(JSON.parse((await run('show', id, '-o', 'json')).stdout).id, id)
  const asked = await run('cancel', id, '--dry-run')
  assert.equal(asked.stdout, `POST /beta/casework/notices/${id}/cancel\n`, asked.stderr)
  assert.equal((await run('cancel', id)).code, 2)
  const cancelled = await run('cancel', id, '--yes')
  assert.deepEqual([cancelled.code, cancelled.stderr], [0, `Notice ${id} is cancelled.\n`])
  const twice = await run('cancel', id, '--yes')
  assert.equal(twice.code === 0, false)
  assert.match(twice.stderr, /Only a notice that is held or waits can be cancelled/)
  const resent = await run('resend', id)
  assert.deepEqual([resent.code, resent.stderr], [0, `Notice ${id} waits to be sent.\n`])
  assert.equal((await run('show', '01900000-0000-7000-8000-000000000000')).code, 4)
  const draft = writeFile('draft.txt', 'Case {{ case.id }}: {{ text }}')
  const seen = await run('preview', 'answer', caseId, '--body', draft, '--text', 'Hello')
  assert.equal(seen.code, 0, seen.stderr)
  assert.match(seen.stdout, /^Subject: .+\n\n/)
  assert.match(seen.stdout, new RegExp(`Case ${caseId}: Hello`))
  const wrong = writeFile('wrong.txt', '{{ none.such }}')
  const lines = await run('preview', 'answer', caseId, '--body', draft, '-o', 'jsonl')
  assert.equal(typeof JSON.parse(lines.stdout).subject, 'string')
  assert.equal((await run('preview', 'answer', caseId, '--body', wrong)).code === 0, false)
})

test('casework suppression adds addresses and files of them, lists all pages, and removes one', async (t) => {
  const run = (...args: string[]) =>
    runCasework(t, ['suppression', ...args], { url, token: app.token })
  const many = Array.from({ length: 3 }, (_, at) => `user${at}@peer.example`)
  const file = writeFile('list.txt', `${many.join('\r\n')}\n\n`)
  const added = await run('add', 'Own@Peer.example', '--file', file, '--note', 'asked for it')
  assert.deepEqual([added.code, added.stderr], [0, '4 addresses are on the list.\n'])
  const listed = await run('list')
  assert.match(listed.stdout, /^own@peer\.example +\w+ +asked for it/im)
  const { items } = JSON.parse((await run('list', '-o', 'json')).stdout)
  assert.equal(items.length, 4)
  assert.match((await run('remove', 'user1@peer.example')).stderr, /is off the list/)
  assert.equal(JSON.parse((await run('list', '-o', 'json')).stdout).items.length, 3)
  assert.equal((await run('add')).code, 2)
  const wrong = await run('add', 'no address')
  assert.equal(wrong.code === 0, false)
})

function readSteps({ stdout }: { readonly stdout: string }): readonly string[] {
  const { steps } = JSON.parse(stdout)
  return steps.map((one: { step: string; state: string }) => `${one.step} ${one.state}`)
}

test('casework notice test sends over STARTTLS with the certificate that it knows, and names the step that fails', async (t) => {
  const login = { user: 'casework', pass: 'open sesame' }
  const certified = makeCertificate('localhost', Date.now())
  const sink = await openMailSink(login, certified)
  t.after(sink.close)
  const ca = writeFile('ca.pem', certified.cert)
  const other = writeFile('other.pem', makeCertificate('localhost', Date.now()).cert)
  const run = async (settings: Record<string, string> = {}, ...more: string[]) => {
    const outcome = await runCasework(
      t,
      ['notice', 'test', '--to', 'ops@provider.example', '-o', 'json', ...more],
      {
        url,
        environment: {
          CASEWORK_DATA_DIR: folder,
          CASEWORK_RELAY_URL: `smtp://casework@localhost:${sink.port}?tls=on`,
          CASEWORK_RELAY_PASSWORD: login.pass,
          CASEWORK_RELAY_CA_FILE: ca,
          CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
          ...settings,
        },
      },
    )
    assert.doesNotMatch(outcome.stdout + outcome.stderr, /open sesame|wrong word/)
    return outcome
  }
  const good = await run()
  assert.equal(good.code, 0, good.stderr + good.stdout)
  assert.equal(JSON.parse(good.stdout).ok, true)
  assert.deepEqual(readSteps(good).slice(2, 4), ['tls ok', 'login ok'])
  assert.deepEqual(
    sink.mails.map(({ to }) => to),
    [['ops@provider.example']],
  )
  for (const file of [other, '']) {
    const refused = await run(
      file === '' ? { CASEWORK_RELAY_CA_FILE: '' } : { CASEWORK_RELAY_CA_FILE: file },
    )
    assert.equal(refused.code, 1, refused.stderr)
    assert.deepEqual(readSteps(refused).slice(1, 4), ['connect ok', 'tls failed', 'login off'])
  }
  const unknown = await run({ CASEWORK_RELAY_PASSWORD: 'wrong word' }, '-o', 'human')
  assert.equal(unknown.code, 1)
  assert.match(unknown.stdout, /^tls +ok/m)
  assert.match(unknown.stdout, /^login +failed/m)
  const plain = await openMailSink(login)
  t.after(plain.close)
  const bare = await run({ CASEWORK_RELAY_URL: `smtp://casework@localhost:${plain.port}?tls=on` })
  assert.deepEqual(readSteps(bare).slice(1, 4), ['connect ok', 'tls failed', 'login off'])
  assert.equal(sink.mails.length + plain.mails.length, 1)
  const unset = await run({ CASEWORK_RELAY_URL: '' })
  assert.equal(unset.code === 0, false)
  assert.match(unset.stderr, /CASEWORK_RELAY_URL is not set/)
})
