// Proves logins: a token is tried, kept for its owner alone, and used by the commands.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { listen, type Outcome, runCasework } from '../../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
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

it('a login without a terminal asks for a file, and an address that nobody answers at is exit code 7', async (t) => {
  const unasked = await run(t, ['login', url])
  assert.equal(unasked.code, EXIT.usage)
  assert.match(unasked.stderr, /--token-file -/)
  const silent = await run(t, ['login', 'http://127.0.0.1:1', '--token-file', '-'], 'x\n')
  assert.equal(silent.code, EXIT.network)
  assert.equal((await run(t, ['login', 'ftp://x', '--token-file', '-'], 'x\n')).code, EXIT.usage)
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
