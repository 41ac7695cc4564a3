// Proves the built client in a browser (Debian's Chromium) and on Node 20, by one scenario against
// a real server. The interface has no CORS, so page and interface have one origin: a small server
// here gives the page and passes all else on.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { findPackageRoot } from '../../src/values/resources.ts'
import { listen } from '../cli-kit.ts'
import { withApp } from '../harness.ts'
import { listenOnLoopback } from '../loopback.ts'
import type { Seen } from './client-scenario.ts'

const run = promisify(execFile)
const root = findPackageRoot()
const SCENARIO = stripTypeScriptTypes(
  readFileSync(join(import.meta.dirname, 'client-scenario.ts'), 'utf8'),
)

const EXPECTED: Seen = {
  lookup: { item: '192[.]0[.]2[.]1', partial: false },
  partial: true,
  check: { isInOrder: true, count: 2_500, invalid: 2 },
  paging: true,
  problem: {
    name: 'CaseworkError',
    status: 400,
    code: 'KERNEL_REQUEST_NOT_VALID',
    field: '/name',
    hasRequestId: true,
  },
  retry: 1,
  silence: { name: 'CaseworkError', status: 0, code: null, field: null, hasRequestId: false },
  abort: 'enough',
  watch: 'reset',
}

interface Heard {
  readonly path: string
  readonly key: string | undefined
}

describe('the built client', () => {
  const app = withApp({}, async (opened) => {
    upstream = await listen(opened)
  })
  let upstream: string
  let server: Server
  let url: string
  const heard: Heard[] = []
  before(async () => {
    await run(process.execPath, [join(root, 'scripts', 'build.ts')], { cwd: root })
    server = createServer((request, response) => {
      answer(request, response).catch((error: unknown) => response.destroy(Object(error)))
    })
    url = `http://127.0.0.1:${await listenOnLoopback(server)}`
  })
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const file = findFile(path)
    if (file !== null) {
      response.setHeader('content-type', path === '/' ? 'text/html' : 'text/javascript').end(file)
      return
    }
    const [, how, rest = ''] = /^\/(busy\/[\w-]+|partial|slow|silent)?(\/?.*)$/.exec(path) ?? []
    if (how === 'slow') return
    if (how === 'silent') {
      request.socket.destroy()
      return
    }
    if (how?.startsWith('busy')) {
      const isFirst = !heard.some((one) => one.path === path)
      heard.push({ path, key: String(request.headers['idempotency-key']) })
      if (isFirst) {
        request.resume()
        response.writeHead(429, { 'retry-after': '1' }).end()
        return
      }
    }
    await passOn(request, response, how === undefined ? path : rest, how === 'partial')
  }

  async function passOn(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    isPartial: boolean,
  ): Promise<void> {
    const names = ['authorization', 'accept', 'content-type', 'idempotency-key', 'last-event-id']
    const headers = names.flatMap((name) => {
      const value = request.headers[name]
      return value === undefined ? [] : [[name, String(value)] as const]
    })
    const body = await readBody(request)
    const method = request.method ?? 'GET'
    // A reader that goes away ends the stream of the program too.
    const stop = new AbortController()
    response.once('close', () => stop.abort())
    const found = await fetch(new URL(path, upstream), {
      method,
      signal: stop.signal,
      headers: Object.fromEntries(headers),
      ...(body.length === 0 ? {} : { body }),
    })
    for (const name of ['content-type', 'casework-problem', 'casework-reason', 'x-request-id']) {
      const value = found.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    // The look-up is a real one; only that a part of it was late is made up.
    if (isPartial) response.setHeader('casework-problem', 'INTEL_LOOKUP_PARTIAL')
    if (found.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      response.flushHeaders()
      for await (const part of found.body ?? []) response.write(part)
      response.end()
      return
    }
    const text = await found.text()
    response.statusCode = isPartial ? 503 : found.status
    response.end(isPartial ? text.replace('"success"', '"partial_success"') : text)
  }

  function assertRepeated(prefix: string): void {
    const [first, second, third, fourth] = heard.filter(({ path }) => path.includes(prefix))
    assert.equal(first?.path, `/busy/${prefix}/livez`)
    assert.equal(second?.path, first.path)
    assert.equal(third?.path, `/busy/${prefix}/beta/casework/events`)
    assert.match(third.key ?? '', /^[0-9a-f]{32}$/)
    assert.deepEqual(fourth, third)
  }

  test('works in a browser: look-up, 2,500 items, paging, problems, partial, abort, retries with one key', async () => {
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    try {
      const page = await browser.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).origin))
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      await page.goto(url)
      const options = { url, token: app.token, prefix: 'browser' }
      const seen = await page.evaluate(
        async (given) => await Reflect.get(globalThis, 'run')(given),
        options,
      )
      assert.deepEqual(seen, EXPECTED)
      assertRepeated('browser')
      assert.deepEqual([[...new Set(asked)], faults], [[url], []])
    } finally {
      await browser.close()
    }
  })

  test('works the same on Node 20', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'casework-scenario-'))
    try {
      const scenario = join(folder, 'scenario.mjs')
      writeFileSync(scenario, SCENARIO)
      const client = pathToFileURL(join(root, 'dist', 'client', 'client.js')).href
      const program = join(folder, 'program.mjs')
      const options = JSON.stringify({ url, token: app.token, prefix: 'node' })
      writeFileSync(
        program,
        `import { createCasework } from ${JSON.stringify(client)}
import { runScenario } from './scenario.mjs'
const seen = await runScenario({ createCasework, ...${options} })
process.stdout.write(JSON.stringify({ version: process.versions.node, seen }))
`,
      )
      const { stdout } = await run(await findNode20(), [program])
      const { version, seen } = JSON.parse(stdout)
      assert.match(version, /^20\./)
      assert.deepEqual(seen, EXPECTED)
      assertRepeated('node')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

const PAGE = `<!doctype html>
<title>casework/client</title>
<link rel="icon" href="data:,">
<script type="importmap">{"imports": {"openapi-fetch": "/openapi-fetch.js"}}</script>
<script type="module">
  import { createCasework } from '/client/client.js'
  import { runScenario } from '/scenario.js'
  globalThis.run = (options) => runScenario({ createCasework, ...options })
</script>
`

/** What the page consists of; null for a path of the interface. */
function findFile(path: string): string | null {
  if (path === '/') return PAGE
  if (path === '/scenario.js') return SCENARIO
  if (path === '/openapi-fetch.js') {
    return readFileSync(join(root, 'node_modules', 'openapi-fetch', 'dist', 'index.mjs'), 'utf8')
  }
  const built = globSync('client/*.js', { cwd: join(root, 'dist') })
  const file = built.find((one) => `/${one}` === path)
  return file === undefined ? null : readFileSync(join(root, 'dist', file), 'utf8')
}

/** The oldest Node that the client is for; npm puts the newer one of the program before it. */
async function findNode20(): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const file of folders.map((folder) => join(folder, 'node'))) {
    if (!existsSync(file)) continue
    const { stdout } = await run(file, ['--version'])
    if (stdout.startsWith('v20.')) return file
  }
  return assert.fail('This test needs Node 20 on the PATH.')
}
