// Proves logins: a token is tried, kept for its owner alone, and used by the commands.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { listen, type Outcome, runCasework } from '../../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { createPerson, createPersonWithApp, PASSWORD } from '../../../test/people-kit.ts'
import { EXIT } from '../exit-codes.ts'
import { chooseServer } from './choose-server.ts'

let app: TestApp
let url: string
let token: string
let folder: string
before(async () => {
  app = await openTestApp()
  url = await listen(app)
  token = await app.createToken()
  folder = mkdtempSync(join(tmpdir(), 'profiles-'))
})
after(async () => {
  rmSync(folder, { recursive: true })
  await app.close()
})

type Signals = Parameters<typeof runCasework>[0]

/** Without an address in the environment. */
async function run(t: Signals, args: readonly string[], input = ''): Promise<Outcome> {
  const environment = { XDG_CONFIG_HOME: folder, PATH: process.env['PATH'] ?? '' }
  return await runCasework(t, args, { url: '', input, environment })
}

it('a login tries the token, keeps it with mode 0600, and the commands use it', async (t) => {
  const wrong = await run(t, ['login', url, '--token-file', '-'], 'cw_api_wrong\n')
  assert.equal(wrong.code, EXIT.credential)
  assert.match(wrong.stderr, /Nothing was kept\.\n$/)
  const kept = await run(t, ['login', url, '--name', 'work', '--token-file', '-'], `${token}\n`)
  assert.equal(kept.code, EXIT.ok, kept.stderr)
  assert.match(kept.stderr, /the profile "work" is in use/)
  assert.doesNotMatch(kept.stderr + kept.stdout, new RegExp(token))
  const file = join(folder, 'casework', 'profiles.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match(readFileSync(file, 'utf8'), /"current": "work"/)
  const who = await run(t, ['whoami', '-o', 'json'])
  assert.equal(JSON.parse(who.stdout).tenant_id, 'default', who.stderr)
  const listed = await run(t, ['profile', 'list', '-o', 'json'])
  assert.deepEqual(JSON.parse(listed.stdout), [{ name: 'work', url, in_use: true }])
  assert.equal((await run(t, ['profile', 'use', 'home'])).code, EXIT.notFound)
  assert.equal((await run(t, ['whoami', '--profile', 'home'])).code, EXIT.usage)
  assert.equal((await run(t, ['logout'])).code, EXIT.ok)
  assert.equal((await run(t, ['logout'])).code, EXIT.notFound)
  assert.deepEqual(JSON.parse((await run(t, ['profile', 'list', '-o', 'json'])).stdout), [])
})

it('a login makes no token that could not be kept', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'unreadable-'))
  t.after(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, 'casework'))
  writeFileSync(join(home, 'casework', 'profiles.json'), 'no JSON')
  const { email } = await createPerson(app, token, { roles: ['viewer'] })
  const countTokens = async (): Promise<number> =>
    (await app.send('GET', '/beta/admin/tokens?limit=1000', { token })).json().items.length
  const count = await countTokens()
  const args = ['login', url, '--email', email, '--password-file', '-']
  const environment = { XDG_CONFIG_HOME: home, PATH: process.env['PATH'] ?? '' }
  const refused = await runCasework(t, args, { url: '', input: `${PASSWORD}\n`, environment })
  assert.equal(refused.code, EXIT.usage, refused.stderr)
  assert.match(refused.stderr, /is not a file of profiles; remove it\.\n$/)
  assert.equal(await countTokens(), count)
})

it('a profile whose token is refused is told to log in again', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'refused-'))
  t.after(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, 'casework'))
  const profiles = { desk: { url, token: 'cw_api_wrong' } }
  const file = join(home, 'casework', 'profiles.json')
  writeFileSync(file, JSON.stringify({ current: 'desk', profiles }))
  // The profile stands above this token, so another one here would be no remedy.
  const environment = { XDG_CONFIG_HOME: home, CASEWORK_TOKEN: token }
  const refused = await runCasework(t, ['whoami'], { url: '', environment })
  assert.equal(refused.code, EXIT.credential)
  assert.ok(refused.stderr.endsWith(`Log in again: npx casework login ${url} --name desk\n`))
  assert.doesNotMatch(refused.stderr, /CASEWORK_TOKEN/)
})

it('commands take the profile, and the file with the token, from the environment', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'environment-'))
  t.after(() => rmSync(home, { recursive: true }))
  const file = join(home, 'token')
  writeFileSync(file, `${token}\n`)
  const ask = async (variables: Readonly<Record<string, string>>): Promise<Outcome> => {
    const environment = { XDG_CONFIG_HOME: home, PATH: process.env['PATH'] ?? '', ...variables }
    return await runCasework(t, ['whoami', '-o', 'json'], { url: '', environment })
  }
  const byFile = await ask({ CASEWORK_URL: url, CASEWORK_TOKEN_FILE: file })
  assert.equal(byFile.code, EXIT.ok, byFile.stderr)
  const profiles = { other: { url: 'http://127.0.0.1:1', token: 'x' }, desk: { url, token } }
  mkdirSync(join(home, 'casework'))
  writeFileSync(
    join(home, 'casework', 'profiles.json'),
    JSON.stringify({ current: 'other', profiles }),
  )
  const byName = await ask({ CASEWORK_PROFILE: 'desk' })
  assert.equal(byName.code, EXIT.ok, byName.stderr)
  assert.deepEqual(JSON.parse(byName.stdout), JSON.parse(byFile.stdout))
  const unknown = await ask({ CASEWORK_PROFILE: 'nowhere' })
  assert.equal(unknown.code, EXIT.usage)
  assert.match(unknown.stderr, /There is no profile "nowhere"/)
  const inherited = await ask({ CASEWORK_PROFILE: 'constructor' })
  assert.match(inherited.stderr, /There is no profile "constructor"/)
})

it('the token of standard input is good for each request of a command, and nothing else is read there', async (t) => {
  const server = ['--url', url, '--token-file', '-']
  const addresses = ['ann@stop.example', 'bob@stop.example']
  const both = await run(t, ['suppression', 'add', ...addresses, ...server], `${token}\n`)
  assert.equal(both.stderr, '2 addresses are on the list.\n')
  const list = ['import', 'plain', '-', '--list', 'l', ...server]
  const mixed = await run(t, list, `${token}\n192.0.2.1\n`)
  assert.deepEqual([mixed.code, mixed.stdout], [EXIT.usage, ''])
  assert.match(mixed.stderr, /Standard input is the token, so it cannot be the file as well/)
})

it('a login without a terminal asks for a file, and an address that nobody answers at is exit code 7', async (t) => {
  const unasked = await run(t, ['login', url])
  assert.equal(unasked.code, EXIT.usage)
  assert.match(unasked.stderr, /--token-file -/)
  const silent = await run(t, ['login', 'http://127.0.0.1:1', '--token-file', '-'], 'x\n')
  assert.equal(silent.code, EXIT.network)
  assert.equal((await run(t, ['login', 'ftp://x', '--token-file', '-'], 'x\n')).code, EXIT.usage)
})

it('a login by password keeps a token of the person, and its logout revokes it', async (t) => {
  const { email, id, browser } = await createPerson(app, token, { roles: ['viewer'] })
  const args = ['login', url, '--name', 'desk', '--email', email, '--password-file', '-']
  const wrong = await run(t, args, 'wrong password\n')
  assert.equal(wrong.code, EXIT.credential, wrong.stderr)
  assert.match(wrong.stderr, /is wrong. Nothing was kept\.\n$/)
  const kept = await run(t, args, `${PASSWORD}\n`)
  assert.equal(kept.code, EXIT.ok, kept.stderr)
  const who = JSON.parse((await run(t, ['whoami', '-o', 'json'])).stdout)
  assert.deepEqual([who.credential, who.person.id, who.roles], ['token', id, ['viewer']])
  const { items } = (await browser.send('GET', '/beta/sessions')).json()
  assert.equal(items.length, 1, 'the session of the login is over')
  const { profiles } = JSON.parse(readFileSync(join(folder, 'casework', 'profiles.json'), 'utf8'))
  const left = await run(t, ['logout'])
  assert.match(left.stderr, /its token is revoked/)
  const headers = { authorization: `Bearer ${profiles.desk.token}` }
  assert.equal((await app.send('GET', '/beta/whoami', { headers })).status, 401)
})

it('a login by password says what to do about a second factor where nobody can be asked', async (t) => {
  const { email } = await createPersonWithApp(app, token, Date.now)
  const args = ['login', url, '--email', email, '--password-file', '-']
  const unasked = await run(t, args, `${PASSWORD}\n`)
  assert.equal(unasked.code, EXIT.usage, unasked.stderr)
  assert.match(unasked.stderr, /has a second factor.* Run the command at a terminal, or say --by/)
})

it('a login by password says what to do where a second factor is required and there is none', async (t) => {
  await app.createTenant('strict')
  const strict = await createPerson(app, token, { tenantId: 'strict' })
  const json = { settings: { second_factor_required: true } }
  const answer = await app.send('PATCH', '/beta/admin/tenants/strict', { token, json })
  assert.equal(answer.status, 200, answer.text)
  const args = ['login', url, '--email', strict.email, '--password-file', '-']
  const held = await run(t, args, `${PASSWORD}\n`)
  assert.equal(held.code, EXIT.credential, held.stderr)
  assert.match(
    held.stderr,
    /Sign in to the console in a browser, set one up, and log in again\.\n$/,
  )
  const { items } = (await strict.browser.send('GET', '/beta/sessions')).json()
  assert.equal(items.length, 1, 'the session of the login is over')
})

it('a login in a browser shows the code, waits for the person, and keeps the token', async (t) => {
  const { browser, id } = await createPerson(app, token)
  const approve = async (stderr: string): Promise<void> => {
    const [code = ''] = /[B-Z]{4}-[B-Z]{4}/.exec(stderr) ?? []
    assert.match(stderr, /\/device in a browser/)
    const json = { user_code: code, approve: true }
    const decided = await browser.send('POST', '/beta/session/device/decision', { json })
    assert.equal(decided.status, 204, decided.text)
  }
  const environment = { XDG_CONFIG_HOME: folder, PATH: process.env['PATH'] ?? '' }
  const args = ['login', url, '--name', 'desk', '--by', 'browser']
  const kept = await runCasework(t, args, { url: '', environment, onStderr: approve })
  assert.equal(kept.code, EXIT.ok, kept.stderr)
  const who = JSON.parse((await run(t, ['whoami', '-o', 'json'])).stdout)
  assert.equal(who.person.id, id)
  assert.equal((await run(t, ['logout'])).code, EXIT.ok)
})

it('a logout keeps the profile of a server that does not answer, unless it is forced', async (t) => {
  const file = join(folder, 'casework', 'profiles.json')
  const gone = { url: 'http://127.0.0.1:1', token: 'x' }
  writeFileSync(file, JSON.stringify({ current: 'gone', profiles: { gone } }))
  const kept = await run(t, ['logout'])
  assert.equal(kept.code, EXIT.network)
  assert.match(kept.stderr, /--force/)
  assert.equal((await run(t, ['logout', '--force'])).code, EXIT.ok)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).profiles, {})
})

it('flags stand above the environment, and the environment above the profile', () => {
  const home = mkdtempSync(join(tmpdir(), 'order-'))
  try {
    const environment = { XDG_CONFIG_HOME: home }
    const file = join(home, 'token')
    writeFileSync(file, 'from-file\n')
    assert.equal(chooseServer({}, environment), null)
    const named = { ...environment, CASEWORK_URL: 'http://a.example', CASEWORK_TOKEN: 'b' }
    assert.deepEqual(chooseServer({}, named), {
      url: 'http://a.example',
      token: 'b',
      profile: null,
    })
    assert.equal(chooseServer({ url: 'http://c.example' }, named)?.url, 'http://c.example')
    assert.equal(chooseServer({ tokenFile: file }, named)?.token, 'from-file')
    const byFile = { ...environment, CASEWORK_URL: 'http://a.example', CASEWORK_TOKEN_FILE: file }
    assert.equal(chooseServer({}, byFile)?.token, 'from-file')
    assert.throws(() => chooseServer({ tokenFile: join(home, 'no') }, named), /cannot be read/)
  } finally {
    rmSync(home, { recursive: true })
  }
})
