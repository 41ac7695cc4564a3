// Proves that the published package is complete: packed, unpacked below a node_modules folder as an
// installation has it (where Node strips no types), and run from there, threads included.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readPackageVersion } from '../src/values/resources.ts'
import { createTestDatabase } from './harness.ts'
import { connectByHttp, connectByStdio, startMcpHttp, useTool } from './mcp-kit.ts'
import { atEnd } from './postgres-harness.ts'
import {
  buildSocketUrl,
  makeOpenFolder,
  ROOT,
  runCommand,
  startServe,
  stopServer,
} from './startup/program.ts'

const run = promisify(execFile)

const BOOTSTRAP_TOKEN = 'first-token-of-the-packed-program-0123456789'

test('the published package holds what it needs and runs from its build', async (suite) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-package-'))
  atEnd(suite, () => rmSync(folder, { recursive: true, force: true }))
  // `prepack` builds. npm finds this Node first, as it does in `npm test`.
  const env = { ...process.env, PATH: `${ROOT}/node_modules/.bin:${process.env['PATH']}` }
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, env })
  const [archive = ''] = globSync('*.tgz', { cwd: folder })
  const place = join(folder, 'node_modules', 'casework')
  mkdirSync(place, { recursive: true })
  await run('tar', ['-xzf', join(folder, archive), '-C', place, '--strip-components=1'])
  linkProductionPackages(place)
  const options = { command: [process.execPath, join(place, 'bin', 'casework.js')] }

  await suite.test(
    'it holds the program, its data and its papers, and neither sources nor tests',
    () => {
      const files = globSync('**/*', {
        cwd: place,
        exclude: (path) => path.startsWith('node_modules'),
      })
      const top: readonly string[] = [
        ...new Set(files.map((path) => path.replace(/\/.*/, ''))),
      ].toSorted()
      assert.deepEqual(top, [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bin',
        'dist',
        'examples',
        'migrations',
        'openapi',
        'package.json',
        'resources',
      ])
      assert.deepEqual(
        files.filter(
          (path) =>
            /\.(ts|map)$|\.(test|peer)\./.test(path) && !/^dist\/client\/[\w-]+\.d\.ts$/.test(path),
        ),
        [],
      )
      const { files: named } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
      for (const name of named) {
        assert(top.includes(name), `${name} is named in "files" and not there`)
      }
    },
  )

  await suite.test(
    'it has the client, with types that a program of another project can use',
    async () => {
      // Such a project has packages of its own, and no types of ours but those in the archive.
      symlinkSync(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
      writeFileSync(
        join(folder, 'right.mts'),
        buildProgram('/beta/casework/customers/{customerId}'),
      )
      writeFileSync(join(folder, 'wrong.mts'), buildProgram('/beta/casework/customer/{customerId}'))
      const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
      const settings = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--types', 'node']
      const compile = (file: string) =>
        run(process.execPath, [compiler, ...settings, file], { cwd: folder, env })
      await compile('right.mts')
      const { stdout } = await run(process.execPath, ['right.mjs'], { cwd: folder, env })
      assert.equal(stdout, 'function')
      await assert.rejects(compile('wrong.mts'), ({ stdout: said }: { stdout: string }) =>
        /"\/beta\/casework\/customer\//.test(said),
      )
    },
  )

  await suite.test('it tells its version, its commands and its settings', async (t) => {
    const version = await runCommand(t, ['--version'], options)
    assert.deepEqual(version, { code: 0, stdout: `${readPackageVersion()}\n`, stderr: '' })
    const help = await runCommand(t, ['--help'], options)
    assert.equal(help.code, 0)
    assert.match(help.stdout, /casework serve/)
    const config = await runCommand(t, ['config', '-o', 'json'], options)
    assert.equal(config.code, 0)
    assert(JSON.parse(config.stdout).length > 10)
  })

  await suite.test(
    'it has the tools for assistants, without the package of their SDK and with its licences',
    async (t) => {
      const database = await createTestDatabase()
      atEnd(t, database.drop)
      const environment = {
        DATABASE_URL: buildSocketUrl(database.connection),
        CASEWORK_BOOTSTRAP_TOKEN: BOOTSTRAP_TOKEN,
      }
      const server = startServe(t, makeOpenFolder(t), [], { ...options, environment })
      const url = await server.whenReady
      assert(!existsSync(join(place, 'node_modules', '@modelcontextprotocol')))
      const { command } = options
      const client = await connectByStdio(t, { url, token: BOOTSTRAP_TOKEN, command })
      assert.equal((await useTool(client, 'who_am_i')).result.tenant_id, 'default')
      const http = await startMcpHttp(t, { url, command })
      const caller = await connectByHttp(t, http.url, BOOTSTRAP_TOKEN)
      const found = await useTool(caller, 'look_up_item', { item: '192.0.2.1' })
      assert.equal(found.result.type, 'IP')
      const licences = readFileSync(join(place, 'dist', 'mcp', 'sdk-licences.txt'), 'utf8')
      assert.match(licences, /^@modelcontextprotocol\/sdk [\d.]+ \(MIT\)\n\nMIT License/m)
      assert.match(licences, /^zod [\d.]+ \(MIT\)$/m)
      await client.close()
      await caller.close()
      await stopServer(server)
    },
  )

  await suite.test(
    'it serves, with two HTTP threads and the reference, whose package it does not need',
    async (t) => {
      const database = await createTestDatabase()
      atEnd(t, database.drop)
      const environment = {
        DATABASE_URL: buildSocketUrl(database.connection),
        CASEWORK_THREADS: '2',
      }
      const server = startServe(t, makeOpenFolder(t), [], { ...options, environment })
      const url = await server.whenReady
      const found = await fetch(`${url}/beta/query/192.0.2.1`)
      assert.equal(found.status, 200)
      const page = await (await fetch(`${url}/docs`)).text()
      const script = /src="([^"]+\.js)"/.exec(page)?.[1]
      assert(script !== undefined, page)
      const scriptUrl = new URL(script, `${url}/docs`)
      assert(!existsSync(join(place, 'node_modules', '@scalar')))
      const built = join(place, 'dist', 'app', 'system', 'docs-reference.js.gz')
      renameSync(built, `${built}.away`)
      const refused = await fetch(scriptUrl)
      assert.deepEqual(
        [refused.status, readCode(await refused.json())],
        [503, 'APP_DOCS_SCRIPT_MISSING'],
      )
      renameSync(`${built}.away`, built)
      const served = await fetch(scriptUrl)
      assert.equal(served.status, 200)
      assert.match(await served.text(), /createApiReference/)
      await stopServer(server)
    },
  )
})

/** Links what `npm ci --omit=dev` installs, and nothing else. */
function linkProductionPackages(place: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  for (const [path, { dev }] of Object.entries<{ readonly dev?: boolean }>(packages)) {
    const isOwn = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)
    if (!isOwn || dev === true || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(place, path)), { recursive: true })
    symlinkSync(join(ROOT, path), join(place, path))
  }
}

function readCode(problem: unknown): unknown {
  return Object(problem).code
}

/** A program that uses the client as another project does. */
function buildProgram(path: string): string {
  return `import { createCasework, CaseworkError, type Schemas } from 'casework/client'
const casework = createCasework({ url: 'https://casework.example' })
export const read = async (): Promise<Schemas['Customer']> =>
  await casework.get('${path}', { params: { path: { customerId: 'K-1' } } })
process.stdout.write(typeof CaseworkError)
`
}
