// The commands that work on a data folder or the settings, as real processes.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readPackageVersion } from '../../src/values/resources.ts'
import {
  assertNothingLeft,
  assertSentence,
  createUsedFolder,
  isTokenKnown,
  makeOpenFolder,
  runCommand,
  startServe,
  stopServer,
} from './program.ts'

const TOKEN_PATTERN = /^cw_(?:api|admin)_\w+\n$/

test('tokens without and with a running server', async (suite) => {
  const { dataDir, token: administrator } = await createUsedFolder(suite)
  const at = ['--data-dir', dataDir]

  const before = await runCommand(suite, [
    'token',
    'create',
    '--role',
    'feeder',
    '--name',
    'lists',
    ...at,
  ])
  await suite.test(
    'create gives the token alone on standard output, the rest on standard error',
    () => {
      assert.equal(before.code, 0)
      assert.match(before.stdout, TOKEN_PATTERN)
      assert.match(before.stderr, /^Token tok_\w+ for tenant default, shown this once:\n$/)
      assertNothingLeft(dataDir)
    },
  )

  const server = startServe(suite, dataDir)
  const url = await server.whenReady
  assert.ok(await isTokenKnown(url, before.stdout.trim()))

  await suite.test(
    'a token made beside the server works at once, and revoked it does not',
    async (t) => {
      const made = await runCommand(t, ['token', 'create', '--scopes', 'intel:read', ...at])
      const token = made.stdout.trim()
      const id = /tok_\w+/.exec(made.stderr)?.[0] ?? ''
      assert.ok(await isTokenKnown(url, token))
      const revoked = await runCommand(t, ['token', 'revoke', id, '--yes', ...at])
      assert.deepEqual(revoked, { code: 0, stdout: '', stderr: `Token ${id} is revoked.\n` })
      assert.ok(!(await isTokenKnown(url, token)))
      const again = await runCommand(t, ['token', 'revoke', id, '--yes', ...at])
      assert.equal(again.code, 4)
      assert.match(again.stderr, /^casework: [^\n]+\n$/)
    },
  )

  await suite.test(
    'list shows names and states and no secret, as a table or as JSON',
    async (t) => {
      const table = await runCommand(t, ['token', 'list', ...at])
      assert.deepEqual({ code: table.code, stderr: table.stderr }, { code: 0, stderr: '' })
      assert.match(table.stdout, /^id +name +tenant id +state +created at/)
      assert.match(table.stdout, /^tok_\w+ +lists +default +live /m)
      assert.match(table.stdout, /^tok_\w+ +unnamed +default +revoked /m)
      const json = await runCommand(t, ['token', 'list', '--output', 'json', ...at])
      const names = JSON.parse(json.stdout).items.map(({ name }: { name: string }) => name)
      assert.deepEqual(names, ['unnamed', 'lists', 'first administrator'])
      assert.ok(!json.stdout.includes(before.stdout.trim()))
    },
  )

  await suite.test(
    'over the network it needs a token: 3 without a good one, 7 when nobody answers',
    async (t) => {
      const list = ['token', 'list', '--url', url]
      const listAs = (token: string) =>
        runCommand(t, list, { environment: { CASEWORK_TOKEN: token } })
      assert.equal((await listAs(administrator)).code, 0)
      const refused = await listAs('cw_api_wrong')
      assert.equal(refused.code, 3)
      assertSentence(refused.stderr, /Set CASEWORK_TOKEN to a valid token/)
      assert.equal((await listAs(before.stdout.trim())).code, 3)
      const silent = await runCommand(t, ['token', 'list', '--url', 'http://127.0.0.1:1'])
      assert.equal(silent.code, 7)
      assertSentence(silent.stderr, /http:\/\/127\.0\.0\.1:1 does not answer/)
    },
  )

  await suite.test(
    'create with a scope that is none ends with 2 and names its place',
    async (t) => {
      const refused = await runCommand(t, ['token', 'create', '--scopes', 'intel:read,nope', ...at])
      assert.deepEqual([refused.code, refused.stdout], [2, ''])
      assertSentence(refused.stderr, /cannot be made as described\. \/scopes\/1 is no scope\.$/m)
    },
  )

  await suite.test('doctor looks at the running server', async (t) => {
    const healthy = await runCommand(t, ['doctor', '--output', 'json', ...at])
    assert.equal(healthy.code, 0, healthy.stdout)
    const { ok, findings } = JSON.parse(healthy.stdout)
    assert.equal(ok, true)
    const names = findings.map(({ name }: { name: string }) => name)
    for (const name of ['node', 'settings', 'data folder', 'postgresql', 'server', 'database']) {
      assert.ok(names.includes(name), name)
    }
  })

  await stopServer(server)

  await suite.test('doctor without a server says so and ends with exit code 1', async (t) => {
    const ill = await runCommand(t, ['doctor', ...at])
    assert.equal(ill.code, 1)
    assert.match(
      ill.stdout,
      /^failed +server +No server is running on \S+: start it with "npm start"/m,
    )
    assert.equal(ill.stderr, '')
  })

  await suite.test('doctor names wrong settings among its findings', async (t) => {
    const ill = await runCommand(t, ['doctor', ...at], { environment: { CASEWORK_PROT: '1' } })
    assert.equal(ill.code, 1)
    assert.match(ill.stdout, /^failed +settings +Unknown variable CASEWORK_PROT; did you mean/m)
  })
})

describe('token', () => {
  test('never makes a database by a mistyped folder', async (t) => {
    const missing = join(makeOpenFolder(t), 'missing')
    const refused = await runCommand(t, ['token', 'list', '--data-dir', missing])
    assert.equal(refused.code, 1)
    assertSentence(refused.stderr, /There is no data of casework in \S+missing/)
  })

  test('create wants to know what the token may do', async (t) => {
    const vague = await runCommand(t, ['token', 'create'])
    assert.equal(vague.code, 2)
    assertSentence(vague.stderr, /--role <role> or --scopes <list>/)
  })
})

describe('migrate', () => {
  test('makes the schema, and a second time finds nothing to do', async (t) => {
    const dataDir = makeOpenFolder(t)
    const first = await runCommand(t, ['migrate', '--data-dir', dataDir])
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /^The schema is at version (\d+) \(\1 migrations applied\)\.\n$/)
    assertNothingLeft(dataDir)
    const second = await runCommand(t, ['migrate', '--data-dir', dataDir])
    assert.match(second.stdout, /^The schema is at version \d+ \(0 migrations applied\)\.\n$/)
  })
})

describe('config', () => {
  const secret = 'sesame'.repeat(6)

  test('shows every value with its origin and hides secrets', async (t) => {
    const environment = { CASEWORK_PORT: '9090', CASEWORK_BOOTSTRAP_TOKEN: secret }
    const shown = await runCommand(t, ['config', '--threads', '2'], { environment })
    assert.deepEqual({ code: shown.code, stderr: shown.stderr }, { code: 0, stderr: '' })
    assert.match(shown.stdout, /^port +9090 +environment +CASEWORK_PORT$/m)
    assert.match(shown.stdout, /^threads +2 +flag +CASEWORK_THREADS$/m)
    assert.match(shown.stdout, /^host +127\.0\.0\.1 +default +CASEWORK_HOST$/m)
    assert.match(shown.stdout, /^bootstrap_token +\*{8} +environment/m)
    assert.ok(!shown.stdout.includes(secret))
  })

  test('gives the same as JSON', async (t) => {
    const shown = await runCommand(t, ['config', '-o', 'json'])
    const rows: { name: string }[] = JSON.parse(shown.stdout)
    assert.deepEqual(
      rows.find(({ name }) => name === 'port'),
      {
        name: 'port',
        variable: 'CASEWORK_PORT',
        value: 8080,
        origin: 'default',
      },
    )
  })
})

describe('help', () => {
  test('--version prints the version and nothing else', async (t) => {
    const version = `${readPackageVersion()}\n`
    assert.deepEqual(await runCommand(t, ['--version']), { code: 0, stdout: version, stderr: '' })
  })

  test('--help names every command and gives examples', async (t) => {
    const help = await runCommand(t, ['--help'])
    assert.equal(help.code, 0)
    assert.equal(help.stderr, '')
    const commands = [
      'serve',
      'migrate',
      'config',
      'token',
      'import',
      'doctor',
      'backup',
      'restore',
    ]
    for (const command of commands) assert.match(help.stdout, new RegExp(`^ {2}${command} `, 'm'))
    assert.match(help.stdout, /^Examples:$/m)
  })

  test('every command explains its flags', async (t) => {
    const commands = [
      ['serve'],
      ['backup'],
      ['restore'],
      ['doctor'],
      ['token', 'create'],
      ['migrate'],
    ]
    for (const command of commands) {
      const help = await runCommand(t, [...command, '--help'])
      assert.equal(help.code, 0)
      assert.match(help.stdout, new RegExp(`^.+\n\nUsage: npx casework ${command.join(' ')} `))
      assert.match(help.stdout, /^ {2}--data-dir <value> +Folder of the embedded database/m)
    }
  })

  test('without a command it shows the help and ends with exit code 2', async (t) => {
    const nothing = await runCommand(t, [])
    assert.equal(nothing.code, 2)
    assert.match(nothing.stderr, /^.+\n\nUsage: npx casework/)
  })
})
