// `casework user setup-link` and `user reset`, against a running server.

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { listen, type Outcome, runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { createPersonWithApp, PASSWORD, signIn } from '../../test/people-kit.ts'
import { EXIT } from './exit-codes.ts'

let app: TestApp
let url: string
let token: string
before(async () => {
  app = await openTestApp()
  url = await listen(app)
  token = await app.createToken()
})
after(() => app.close())

type Signals = Parameters<typeof runCasework>[0]

function run(t: Signals, args: readonly string[]): Promise<Outcome> {
  return runCasework(t, args, { url, token, input: '' })
}

it('the first person comes in by `user setup-link`, and gets a new password by `user reset`', async (t) => {
  const made = await run(t, ['user', 'setup-link'])
  assert.equal(made.code, EXIT.ok, made.stderr)
  assert.match(made.stdout, /^http:\/\/localhost:\d+\/welcome#[\w-]{43}\n$/)
  const email = 'ana@desk.example'
  const redeem = (link: string, password: string) =>
    app.send('POST', '/beta/session/links', { json: { link, password, email, name: 'Ana' } })
  assert.equal((await redeem(made.stdout.trim(), PASSWORD)).status, 201)
  const again = await run(t, ['user', 'setup-link'])
  assert.notEqual(again.code, EXIT.ok)
  assert.match(again.stderr, /There is a user already/)
  const reset = await run(t, ['user', 'reset', 'Ana@Desk.example'])
  assert.equal(reset.code, EXIT.ok, reset.stderr)
  const password = 'nine green bottles'
  assert.equal((await redeem(reset.stdout.trim(), password)).status, 201)
  assert.equal((await signIn(app, email)).status, 401)
  assert.equal((await signIn(app, email, password)).status, 201)
})

it('an address that no user has is said, with the exit code for it', async (t) => {
  const { code, stderr } = await run(t, ['user', 'reset', 'nobody@desk.example'])
  assert.equal(code, EXIT.notFound)
  assert.match(stderr, /no user of the address nobody@desk\.example/)
})

it('people are invited, listed, disabled and signed out by commands', async (t) => {
  const invite = ['user', 'invite', '--email', 'ben@desk.example', '--name', 'Ben']
  const made = await run(t, [...invite, '--role', 'agent,viewer', '-o', 'json'])
  assert.equal(made.code, EXIT.ok, made.stderr)
  const { id, link, tenants } = JSON.parse(made.stdout)
  assert.deepEqual(tenants[0].roles, ['agent', 'viewer'])
  await app.send('POST', '/beta/session/links', { json: { link, password: PASSWORD } })
  const listed = await run(t, ['user', 'list'])
  assert.match(listed.stdout, /ben@desk\.example +Ben +active/)
  const sessions = await run(t, ['user', 'sessions', id, '-o', 'json'])
  assert.equal(JSON.parse(sessions.stdout).length, 1)
  assert.equal((await run(t, ['user', 'sign-out', id])).code, EXIT.ok)
  const disabled = await run(t, ['user', 'disable', id, '--yes', '-o', 'json'])
  assert.equal(JSON.parse(disabled.stdout).state, 'disabled')
  assert.equal((await run(t, ['user', 'enable', id])).code, EXIT.ok)
})

it('the second factors of a user who has lost them are shown, and removed by `user reset --remove-factors`', async (t) => {
  const { id, email } = await createPersonWithApp(app, token, Date.now)
  const shown = JSON.parse((await run(t, ['user', 'factors', id, '-o', 'json'])).stdout)
  assert.equal(shown.recovery_codes_left, 10)
  const reset = await run(t, ['user', 'reset', email, '--remove-factors'])
  assert.equal(reset.code, EXIT.ok, reset.stderr)
  assert.match(reset.stderr, /second factors are removed/)
  const json = { link: reset.stdout.trim(), password: 'nine green bottles' }
  assert.equal((await app.send('POST', '/beta/session/links', { json })).status, 201)
  const left = JSON.parse((await run(t, ['user', 'factors', id, '-o', 'json'])).stdout)
  assert.deepEqual([left.totp_since, left.recovery_codes_left], [null, 0])
})
