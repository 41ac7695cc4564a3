// Invitations and links for forgotten passwords by mail, through a real relay on loopback; and the
// change of a password by the person.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { type MailSink, openMailSink } from '../../../test/fixtures/mail-sink.ts'
import { openTestApp, type TestAnswer, type TestApp, withApp } from '../../../test/harness.ts'
import { createPerson, PASSWORD, signIn } from '../../../test/people-kit.ts'
import { query } from '../../../test/playbook-fixtures.ts'
import { openAccountMails } from '../../app/start-account-mails.ts'
import { writeAccountMail } from './write-account-mail.ts'

let sink: MailSink
let app: TestApp
let token: string
before(async () => {
  sink = await openMailSink()
  app = await openTestApp({
    environment: {
      CASEWORK_RELAY_URL: `smtp://127.0.0.1:${sink.port}`,
      CASEWORK_MAIL_FROM: 'Abuse Desk <abuse@provider.example>',
    },
  })
  token = await app.createToken()
})
after(async () => {
  await app.close()
  await sink.close()
})

/** What a worker does with mails that are due. */
async function sendDue(): Promise<void> {
  const sender = openAccountMails(app.services)
  assert.ok(sender !== null)
  await query(app, 'update account_mail set due_at = created_at')
  await sender.send()
  sender.close()
}

async function takeMail() {
  const taken = sink.mails.splice(0)
  assert.equal(taken.length, 1)
  const { to, text } = taken[0] ?? { to: [], text: '' }
  const parsed = await PostalMime.parse(text)
  const body = parsed.text ?? ''
  const link = /http:\/\/localhost:\d+\/welcome#\S+/.exec(body)?.[0] ?? ''
  return { to, subject: parsed.subject, body, link, headers: parsed.headers }
}

const code = ({ headers }: TestAnswer) => headers['casework-problem']
const askFor = (email: string, more: object = {}) =>
  app.send('POST', '/beta/session/password/forgotten', { json: { email, ...more } })

describe('an invitation by mail', () => {
  it('201 without the link, which the mail alone has, and which lets the person in', async () => {
    const json = { email: 'Eva@desk.example', name: 'Eva', roles: ['agent'], send_mail: true }
    const answer = await app.send('POST', '/beta/admin/users', { token, json })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.json().link, null)
    await sendDue()
    const { to, subject, body, link, headers } = await takeMail()
    assert.deepEqual(to, ['Eva@desk.example'])
    assert.match(subject ?? '', /^Invitation to work for /)
    assert.match(body, /^Hello Eva,\n/)
    assert.ok(
      headers.some(({ key, value }) => key === 'auto-submitted' && value === 'auto-generated'),
    )
    const came = await app.send('POST', '/beta/session/links', {
      json: { link, password: PASSWORD },
    })
    assert.equal(came.status, 201, came.text)
    assert.deepEqual(await query(app, 'select * from account_mail'), [])
  })

  it('waits for a relay that is away, with a link that is good, and is dropped when it is refused for good', async () => {
    const json = {
      email: 'late@desk.example',
      name: 'Late',
      roles: ['agent'],
      send_mail: true,
      language: 'de',
    }
    assert.equal((await app.send('POST', '/beta/admin/users', { token, json })).status, 201)
    sink.refuse = () => ({ code: 451, text: 'later' })
    await sendDue()
    assert.equal(sink.mails.length, 0)
    const [waiting] = await query(
      app,
      'select attempts, due_at > created_at as later from account_mail',
    )
    assert.deepEqual(waiting, { attempts: 1, later: true })
    sink.refuse = null
    await sendDue()
    const { subject, link } = await takeMail()
    assert.match(subject ?? '', /^Einladung zur Arbeit für /)
    const checked = await app.send('POST', '/beta/session/links/check', { json: { link } })
    assert.equal(checked.json().kind, 'invitation')
    const refused = { ...json, email: 'gone@desk.example' }
    await app.send('POST', '/beta/admin/users', { token, json: refused })
    sink.refuse = () => ({ code: 550, text: 'no such person' })
    await sendDue()
    sink.refuse = null
    assert.deepEqual(await query(app, 'select * from account_mail'), [])
  })
})

it('a mail that throws waits by itself, and the others of its batch go out', async () => {
  const people = [await createPerson(app, token), await createPerson(app, token)]
  for (const { email } of people) assert.equal((await askFor(email)).status, 202)
  const [broken] = people
  await query(
    app,
    `create function refuse_link() returns trigger language plpgsql as
       $$ begin raise exception 'no link for this one'; end $$`,
  )
  await query(
    app,
    `create trigger refuse_link before insert on sign_in_link for each row
     when (new.user_id = '${broken?.id}') execute function refuse_link()`,
  )
  await sendDue()
  assert.deepEqual((await takeMail()).to, [people[1]?.email])
  const waiting = await query(
    app,
    'select user_id, attempts, due_at > created_at as later from account_mail',
  )
  assert.deepEqual(waiting, [{ user_id: broken?.id, attempts: 1, later: true }])
  await query(app, 'drop trigger refuse_link on sign_in_link')
  await sendDue()
  assert.deepEqual((await takeMail()).to, [broken?.email])
})

describe('a forgotten password', () => {
  it('202, a mail with a link for a new password, which ends what the former one opened', async () => {
    const person = await createPerson(app, token)
    assert.equal((await askFor(person.email.toUpperCase())).status, 202)
    await sendDue()
    const { to, link } = await takeMail()
    assert.deepEqual(to, [person.email])
    const json = { link, password: 'nine brown envelopes' }
    assert.equal((await app.send('POST', '/beta/session/links', { json })).status, 201)
    assert.equal((await person.browser.send('GET', '/beta/session')).status, 401)
    assert.equal((await signIn(app, person.email, 'nine brown envelopes')).status, 201)
  })

  it('202 with the same bytes and the same rows for an address without an account, and no mail', async () => {
    const person = await createPerson(app, token)
    const answers = [await askFor(person.email), await askFor('nobody@desk.example')]
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [
        [202, ''],
        [202, ''],
      ],
    )
    const rows = await query(
      app,
      'select kind, user_id is null as unknown from account_mail order by created_at',
    )
    assert.deepEqual(rows, [
      { kind: 'reset', unknown: false },
      { kind: 'reset', unknown: true },
    ])
    await sendDue()
    assert.deepEqual((await takeMail()).to, [person.email])
  })

  it('no mail for a disabled person and for one who was only invited', async () => {
    const person = await createPerson(app, token)
    const path = `/beta/admin/users/${person.id}`
    assert.equal((await app.send('PATCH', path, { token, json: { disabled: true } })).status, 200)
    const json = { email: 'only-invited@desk.example', name: 'Only', roles: ['agent'] }
    await app.send('POST', '/beta/admin/users', { token, json })
    for (const email of [person.email, json.email]) assert.equal((await askFor(email)).status, 202)
    await sendDue()
    assert.equal(sink.mails.length, 0)
  })

  it('429 APP_MAILS_TOO_MANY after some mails to one address, whether it has an account or not', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await askFor('many@desk.example')).status)
    }
    assert.ok(statuses.includes(202))
    const refused = await askFor('many@desk.example')
    assert.equal(refused.status, 429)
    assert.equal(code(refused), 'APP_MAILS_TOO_MANY')
    assert.ok(Number(refused.headers['retry-after']) > 0)
  })

  it('403 from the page of another site', async () => {
    const headers = { origin: 'https://evil.example' }
    const json = { email: 'x@desk.example' }
    const answer = await app.send('POST', '/beta/session/password/forgotten', { json, headers })
    assert.equal(answer.status, 403)
  })

  it('is offered among the ways to sign in', async () => {
    const ways = (await app.send('GET', '/beta/session/sign-in-ways')).json()
    assert.deepEqual(ways.forgotten_password, { available: true, reason: null })
  })
})

describe('without a relay', () => {
  const bare = withApp()

  it('409 APP_MAIL_NOT_SET_UP with the way out, for a password and for an invitation', async () => {
    const asked = await bare.send('POST', '/beta/session/password/forgotten', {
      json: { email: 'x@desk.example' },
    })
    assert.deepEqual([asked.status, code(asked)], [409, 'APP_MAIL_NOT_SET_UP'])
    const json = { email: 'x@desk.example', name: 'X', roles: ['agent'], send_mail: true }
    const invited = await bare.send('POST', '/beta/admin/users', { token: bare.token, json })
    assert.deepEqual([invited.status, code(invited)], [409, 'APP_MAIL_NOT_SET_UP'])
  })
})

type Person = Awaited<ReturnType<typeof createPerson>>
const change = (browser: Person['browser'], json: object) =>
  browser.send('PUT', '/beta/session/password', { json })

describe('a change of the own password', () => {
  it('204 with the current one: the other sessions end, this one stays', async () => {
    const person = await createPerson(app, token)
    const other = await signIn(app, person.email, PASSWORD)
    assert.equal(other.status, 201)
    const json = { current_password: PASSWORD, new_password: 'six purple lanterns' }
    assert.equal((await change(person.browser, json)).status, 204)
    assert.equal((await person.browser.send('GET', '/beta/session')).status, 200)
    assert.equal((await signIn(app, person.email, PASSWORD)).status, 401)
    assert.equal((await signIn(app, person.email, 'six purple lanterns')).status, 201)
  })

  it('401 for a wrong current one, 400 for a bad new one, 404 for a token', async () => {
    const person = await createPerson(app, token)
    const wrong = { current_password: 'wrong green bottles', new_password: 'six purple lanterns' }
    assert.equal((await change(person.browser, wrong)).status, 401)
    const short = { current_password: PASSWORD, new_password: 'short' }
    assert.equal((await change(person.browser, short)).status, 400)
    const json = { current_password: PASSWORD, new_password: 'six purple lanterns' }
    const byToken = await app.send('PUT', '/beta/session/password', { token, json })
    assert.equal(byToken.status, 404)
    assert.equal((await signIn(app, person.email, PASSWORD)).status, 201)
  })
})

it('a name with line ends and controls stays in its line', () => {
  const { subject, text } = writeAccountMail({
    kind: 'invitation',
    language: 'en',
    name: 'Eve\r\nBcc: all@desk.example\n\nhttp://evil.example/',
    link: 'http://localhost:8080/welcome#x',
    expiresAt: new Date('2026-11-27T00:00:00Z'),
    tenantName: 'Desk\u202e\nX',
  })
  assert.equal(subject, 'Invitation to work for Desk X')
  assert.equal(text.split('\n')[0], 'Hello Eve Bcc: all@desk.example http://evil.example/,')
})
