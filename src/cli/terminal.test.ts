// Proves what a person at a terminal sees: questions, colours, ages and exit codes, through a
// pseudo-terminal (`script` of util-linux).

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { listen, serveStub } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { createPersonWithApp, PASSWORD } from '../../test/people-kit.ts'
import { findPackageRoot } from '../values/resources.ts'
import { EXIT } from './exit-codes.ts'

const LAUNCHER = join(findPackageRoot(), 'bin/casework.js')

let app: TestApp
let url: string
let token: string
before(async () => {
  app = await openTestApp()
  url = await listen(app)
  token = await app.createToken()
})
after(() => app.close())

interface Seen {
  readonly code: number | null
  /** Both outputs, as a terminal gets them. */
  readonly screen: string
}

/** Runs a command line at a terminal; `typed` is written when the screen shows `prompt`. */
async function atTerminal(
  t: { readonly signal: AbortSignal },
  line: string,
  {
    typed = '',
    prompt = /$^/,
    environment = {},
  }: {
    readonly typed?: string
    readonly prompt?: RegExp
    readonly environment?: Readonly<Record<string, string>>
  } = {},
): Promise<Seen> {
  const command = `'${process.execPath}' '${LAUNCHER}' ${line}`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: findPackageRoot(),
    signal: t.signal,
    env: {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm',
      CASEWORK_URL: url,
      CASEWORK_TOKEN: token,
      ...environment,
    },
  })
  let screen = ''
  let isTyped = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    if (isTyped || !prompt.test(screen)) return
    isTyped = true
    child.stdin.write(typed)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { code, screen: screen.replaceAll('\r\n', '\n') }
}

async function openCase(about: string): Promise<string> {
  const pushed = await app.send('POST', '/beta/casework/events', {
    token,
    json: {
      event_date: '2026-11-20T10:00:00Z',
      event_type: 'Spam',
      domain: `${about}.example`,
      sender_email: 'ann@reporter.example',
    },
  })
  return pushed.json().case_id
}

it('a question at a terminal is answered there: yes acts, anything else does not', async (t) => {
  const id = await openCase('asked')
  const line = `case close ${id} --close-reason duplicate`
  const no = await atTerminal(t, line, { prompt: /\[y\/N\] /, typed: 'n\n' })
  assert.equal(no.code, EXIT.failure)
  assert.match(no.screen, /Close 1 case\? \[y\/N\] [^]*\ncasework: Nothing was changed\.\n/)
  const yes = await atTerminal(t, line, { prompt: /\[y\/N\] /, typed: 'y\n' })
  assert.equal(yes.code, EXIT.ok)
  assert.match(yes.screen, /^C-\S+ +CLOSED /m)
})

it('Ctrl-C at a question ends with exit code 130, and nothing is done', async (t) => {
  const id = await openCase('interrupted')
  const line = `case close ${id} --close-reason duplicate`
  const cut = await atTerminal(t, line, { prompt: /\[y\/N\] /, typed: '\u0003' })
  assert.equal(cut.code, EXIT.interrupted, cut.screen)
  assert.match(cut.screen, /Interrupted; nothing was changed/)
  const shown = await app.send('GET', `/beta/casework/cases/${id}`, { token })
  assert.equal(shown.json().state, 'NEW')
})

it('a terminal shows times as ages and verdicts in colour; NO_COLOR and --absolute turn them off', async (t) => {
  await openCase('ages')
  assert.match(
    (await atTerminal(t, 'event list')).screen,
    /\d+ (?:s|min|h|days) ago|\d{4}-\d\d-\d\d /,
  )
  assert.match((await atTerminal(t, 'event list --absolute')).screen, /2026-11-20T10:00:00\.000Z/)
  assert.ok((await atTerminal(t, 'lookup 198.51.100.7')).screen.includes('\u001b['))
  const plain = await atTerminal(t, 'lookup 198.51.100.7', { environment: { NO_COLOR: '1' } })
  assert.equal(plain.screen.includes('\u001b['), false)
})

it('bytes of a server do not steer a terminal, whatever asks for them', async (t) => {
  const stub = await serveStub(t, (_, response) => {
    response.end('{"name":"a\u009b2Jb","title":"\u001b[31m"}')
  })
  for (const line of ['api GET /beta/whoami', 'whoami -o raw']) {
    const seen = await atTerminal(t, line, { environment: { CASEWORK_URL: stub } })
    assert.equal(seen.code, EXIT.ok, seen.screen)
    assert.equal(seen.screen.trim(), '{"name":"a\\x9b2Jb","title":"\\x1b[31m"}', line)
  }
})

it('the exit codes are those of the table, at a terminal too', async (t) => {
  for (const [line, code, environment] of [
    ['lookup 198.51.100.7', EXIT.ok, {}],
    ['lookup nothing-such', EXIT.failure, {}],
    ['case list --limit few', EXIT.usage, {}],
    ['case show C-1 --odd', EXIT.usage, {}],
    ['case show C-1', EXIT.notFound, {}],
    ['whoami', EXIT.credential, { CASEWORK_TOKEN: 'cw_api_wrong' }],
    ['whoami', EXIT.network, { CASEWORK_URL: 'http://127.0.0.1:1' }],
  ] as const) {
    const seen = await atTerminal(t, line, { environment })
    assert.equal(seen.code, code, `${line}: ${seen.screen}`)
  }
})

it('a login at a terminal does not show the token that is typed', async (t) => {
  const home = `${app.services.foundation.config.dataDir}/profiles`
  const seen = await atTerminal(t, `login ${url} --name work --by token`, {
    prompt: /Token: /,
    typed: `${token}\r`,
    environment: { XDG_CONFIG_HOME: home },
  })
  assert.equal(seen.code, EXIT.ok, seen.screen)
  assert.match(seen.screen, /the profile "work" is in use/)
  assert.equal(seen.screen.includes(token), false)
})

it('a login by password asks for the second factor, and does not show it', async (t) => {
  const { email, recoveryCodes } = await createPersonWithApp(app, token, Date.now)
  const [code = ''] = recoveryCodes
  const home = `${app.services.foundation.config.dataDir}/profiles`
  const file = `${app.services.foundation.config.dataDir}/password`
  writeFileSync(file, `${PASSWORD}\n`)
  const line = `login ${url} --name desk --email ${email} --password-file ${file}`
  const seen = await atTerminal(t, line, {
    prompt: /recovery code: /,
    typed: `${code}\r`,
    environment: { XDG_CONFIG_HOME: home },
  })
  assert.equal(seen.code, EXIT.ok, seen.screen)
  assert.match(seen.screen, /the profile "desk" is in use/)
  assert.equal(seen.screen.includes(code), false)
})

it('`script` is there, so that nothing above passed by being left out', () => {
  assert.equal(spawnSync('script', ['--version']).status, 0)
})
