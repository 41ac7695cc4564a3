// Starts that cannot be: each ends with its exit code and one sentence that names what is wrong.

import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createTestDatabase, readTestConnection } from '../harness.ts'
import { findFreePort, listenUntilEnd } from '../loopback.ts'
import { atEnd } from '../postgres-harness.ts'
import { query } from '../query.ts'
import {
  assertSentence,
  buildSocketUrl,
  type CommandLine,
  type Finished,
  LAUNCHER,
  runCommand,
  runCommands,
} from './program.ts'

describe('a port that is taken', () => {
  for (const threads of ['1', '2']) {
    test(`is refused in one sentence, with ${threads} HTTP threads (APP_PORT_TAKEN)`, async (t) => {
      const port = await takePort(t)
      const dataDir = makeFolder(t)
      const args = ['--threads', threads, '--port', String(port), '--data-dir', dataDir]
      const environment = { DATABASE_URL: await createUrl(t) }
      const refused = await runCommand(t, ['serve', ...args], { environment })
      assert.equal(refused.code, 1)
      assertSentence(
        refused.stderr.replaceAll(/^\{.*\n/gm, ''),
        new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken .* --port`),
      )
      // The token was made and is shown all the same: the next start would not show it again.
      assert.match(refused.stdout, /^ {2}token {5}cw_admin_/)
      assert.doesNotMatch(refused.stdout, /ready/)
    })
  }
})

test('a port of the intel group or of monitoring that is taken is refused with the name of its own flag (APP_PORT_TAKEN)', async (t) => {
  const port = await takePort(t)
  const environment = { DATABASE_URL: await createUrl(t) }
  const flags = ['--intel-port', '--ops-port'] as const
  const lines = flags.map((flag) => ({
    args: ['serve', flag, String(port), '--port', '0', '--data-dir', makeFolder(t)],
    environment,
  }))
  for (const [index, refused] of (await runCommands(t, lines)).entries()) {
    assert.equal(refused.code, 1)
    assertSentence(
      refused.stderr.replaceAll(/^\{.*\n/gm, ''),
      new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken .* with ${flags[index]} \\(`),
    )
    assert.doesNotMatch(refused.stdout, /ready/)
  }
})

test('one port for two listeners is refused, also with several HTTP threads (APP_PORT_TAKEN)', async (t) => {
  const port = String(await findFreePort())
  const ports = ['--port', port, '--intel-port', port]
  const args = ['serve', '--threads', '2', ...ports, '--data-dir', makeFolder(t)]
  const refused = await runCommand(t, args, { environment: { DATABASE_URL: await createUrl(t) } })
  assert.equal(refused.code, 1)
  assertSentence(
    refused.stderr.replaceAll(/^\{.*\n/gm, ''),
    new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken .* with --intel-port`),
  )
})

test('a start that cannot be is refused in one sentence', async (suite) => {
  const file = join(makeFolder(suite), 'file')
  writeFileSync(file, '')
  const at = ['--port', '0', '--data-dir', makeFolder(suite)]
  const freePort = await findFreePort()
  const newer = await createTestDatabase()
  atEnd(suite, newer.drop)
  await query(
    newer.connection,
    `insert into schema_migration (version, name, checksum)
     select max(version) + 1, 'later.sql', 'later' from schema_migration`,
  )
  const onDatabase = (url: string): CommandLine => ({
    args: ['serve', ...at],
    environment: { DATABASE_URL: url },
  })
  const sealed = await createTestDatabase()
  atEnd(suite, sealed.drop)
  await query(
    sealed.connection,
    `insert into secret (tenant_id, owner, name, key_id, sealed) values ('default', 'tenant', 'x', 'abcdef012345', '')`,
  )
  const [address, folder, silent, unknown, absent, unreadable, later, keyless, otherKey] =
    await runCommands(suite, [
      {
        args: ['serve', '--host', '192.0.2.1', ...at],
        environment: { DATABASE_URL: await createUrl(suite) },
      },
      { args: ['serve', '--data-dir', join(file, 'data')] },
      onDatabase(`postgres://user:opensesame@127.0.0.1:${freePort}/casework`),
      onDatabase('postgres://user:opensesame@database.invalid/casework'),
      onDatabase(buildSocketUrl({ ...readTestConnection(), database: 'none' })),
      onDatabase('postgres://user:open sesame@host:port:1/casework'),
      onDatabase(buildSocketUrl(newer.connection)),
      {
        args: ['serve', ...at],
        environment: { DATABASE_URL: await createUrl(suite), CASEWORK_SECRET_KEY: '' },
      },
      onDatabase(buildSocketUrl(sealed.connection)),
    ])

  await suite.test('an address that is not of this machine (APP_ADDRESS_NOT_USABLE)', () => {
    assert.equal(address?.code, 1)
    assertSentence(address.stderr.replaceAll(/^\{.*\n/gm, ''), /listen on 192\.0\.2\.1 .* --host/)
  })

  await suite.test('a data folder that cannot be made', () => {
    assert.equal(folder?.code, 1)
    assertSentence(folder.stderr, /file\/data cannot be used: .* CASEWORK_DATA_DIR/)
  })

  await suite.test('a DATABASE_URL where nothing listens (APP_DATABASE_NOT_USABLE)', () => {
    assertRefused(
      silent,
      1,
      new RegExp(
        `PostgreSQL at 127\\.0\\.0\\.1:${freePort}/casework cannot be used: nothing listens`,
      ),
    )
  })

  await suite.test('a DATABASE_URL whose host is not known', () => {
    assertRefused(unknown, 1, /database\.invalid:5432\/casework cannot be used: its host name/)
  })

  await suite.test('a DATABASE_URL that has no such database', () => {
    assertRefused(absent, 1, /cannot be used: it has no database of that name/)
  })

  await suite.test('a DATABASE_URL that cannot be read', () => {
    assertRefused(unreadable, 2, /DATABASE_URL is not a valid address/)
  })

  await suite.test('a database whose schema is newer than the program', () => {
    assertRefused(later, 1, /The database is at schema version \d+, this program knows \d+/)
  })

  await suite.test('a DATABASE_URL without a key for secrets', () => {
    assertRefused(keyless, 2, /CASEWORK_SECRET_KEY is missing\. .*openssl rand -base64 32/)
  })

  await suite.test('a database whose secrets have another key', () => {
    assertRefused(otherKey, 2, /were encrypted with the key abcdef012345, and CASEWORK_SECRET_KEY/)
  })
})

/** With one sentence, and without the password. */
function assertRefused(refused: Finished | undefined, code: number, pattern: RegExp): void {
  assert.equal(refused?.code, code)
  assert.doesNotMatch(refused.stderr + refused.stdout, /opensesame|open sesame/)
  assertSentence(refused.stderr, pattern)
}

describe('settings that are wrong end with exit code 2 and name what is meant', () => {
  test('an unknown variable', async (t) => {
    const refused = await runCommand(t, ['serve'], { environment: { CASEWORK_PROT: '1' } })
    assert.equal(refused.code, 2)
    assertSentence(refused.stderr, /Unknown variable CASEWORK_PROT; did you mean CASEWORK_PORT\?/)
  })

  test('an unknown flag', async (t) => {
    const refused = await runCommand(t, ['serve', '--prot', '1'])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /unknown option '--prot'\n\(Did you mean --port\?\)/)
  })

  test('an unknown key of casework.toml', async (t) => {
    const cwd = makeFolder(t)
    writeFileSync(join(cwd, 'casework.toml'), 'prot = 1\n')
    const refused = await runCommand(t, ['serve'], { cwd })
    assert.equal(refused.code, 2)
    assertSentence(refused.stderr, /casework\.toml: unknown key prot; did you mean port\?/)
  })

  test('an unknown command', async (t) => {
    const refused = await runCommand(t, ['sevre'])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /unknown command 'sevre'\n\(Did you mean serve\?\)/)
  })

  test('several wrong values are all told at once', async (t) => {
    const refused = await runCommand(t, ['serve', '--port', '99999', '--threads', 'two'])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /--port must be a whole number from 0 to 65535/)
    assert.match(refused.stderr, /--threads must be a whole number from 1 to 64/)
  })
})

test('a Node that is too old is told in one sentence', async (t) => {
  const old =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})'
  const command = [process.execPath, '--import', old, LAUNCHER]
  const refused = await runCommand(t, ['serve'], { command })
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /^casework needs Node 24\.6 or newer and this is Node 20\.20\.2: [^\n]+\n$/,
  )
})

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'casework-refusal-'))
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function createUrl(t: TestContext): Promise<string> {
  const database = await createTestDatabase()
  atEnd(t, database.drop)
  return buildSocketUrl(database.connection)
}

/** A port that somebody listens on until the end of the test. */
async function takePort(t: TestContext): Promise<number> {
  return await listenUntilEnd(t, createServer())
}
