// Proves the commands that are one operation: against a running server, and that each fits the
// interface.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { listen, type Outcome, runCasework, serveStub } from '../../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { buildOpenapi } from '../../app/openapi.ts'
import { buildRoutes } from '../../app/routes.ts'
import { buildProgram } from '../cli.ts'
import { EXIT } from '../exit-codes.ts'
import { OPERATION_COMMANDS, OTHER_COMMANDS } from './all-commands.ts'
import { listOperations } from './operation.ts'
import { buildRequest } from './read-request.ts'

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

async function run(t: Signals, args: readonly string[], input = ''): Promise<Outcome> {
  return await runCasework(t, args, { url, token, input })
}

/** Two cases, the second for an address; their ids. */
async function pushTwo(t: Signals, about: string): Promise<readonly string[]> {
  const events = [
    { event_type: 'Phishing', domain: `${about}.example` },
    { event_type: 'Spam', domain: `${about}-2.example` },
  ].map((event) => ({
    ...event,
    event_date: '2026-11-20T10:00:00Z',
    sender_email: `${about}@reporter.example`,
  }))
  const pushed = await run(t, ['event', 'push', '-', '-o', 'json'], JSON.stringify(events))
  assert.equal(pushed.code, EXIT.ok, pushed.stderr)
  const rows: readonly { case_id: string }[] = JSON.parse(pushed.stdout)
  return rows.map(({ case_id: id }) => id)
}

describe('a command for cases', () => {
  it('lists them as a table, as JSON, as lines, as CSV and as the server sent them', async (t) => {
    const [first = ''] = await pushTwo(t, 'forms')
    const asked = ['case', 'list', '--reporter', 'forms@reporter.example']
    const table = await run(t, asked)
    assert.match(table.stdout, /^id +state +severity +assignee .*\nC-\S+ +NEW .* Spam /)
    const json = JSON.parse((await run(t, [...asked, '-o', 'json'])).stdout)
    assert.deepEqual(Object.keys(json[0]).slice(0, 2), ['id', 'state'])
    const lines = (await run(t, [...asked, '-o', 'jsonl', '--limit', '1'])).stdout
      .trim()
      .split('\n')
    assert.equal(lines.length, 1)
    const csv = (await run(t, [...asked, '-o', 'csv'])).stdout.split('\r\n')
    assert.match(csv[0] ?? '', /^id,state,summary_severity,/)
    assert.equal(csv.length, 4)
    const raw = JSON.parse((await run(t, [...asked, '-o', 'raw'])).stdout)
    assert.equal(raw.items[1].id, first)
    const more = await run(t, [...asked, '--limit', '1'])
    assert.equal(more.stderr, 'There is more: ask with --limit or --all.\n')
  })

  it('changes many of them, names the command that takes it back, and undoes it', async (t) => {
    const ids = await pushTwo(t, 'sweep')
    const json = JSON.stringify({ severity: 'high' })
    const asked = ['case', 'bulk', '--ids', ids.join(','), '--change', json]
    const preview = await run(t, [...asked, '--dry-run'])
    assert.equal(preview.stderr, 'changed 2, unchanged 0, refused 0, not found 0\n')
    const changed = await run(t, [...asked, '--yes', '-o', 'json'])
    assert.equal(JSON.parse(changed.stdout).length, 2)
    const [, id = ''] =
      /^To take it back: npx casework case undo (\S+)\n$/.exec(changed.stderr) ?? []
    assert.equal((await run(t, ['case', 'undo', id])).code, EXIT.usage)
    const undone = await run(t, ['case', 'undo', id, '--yes'])
    assert.match(undone.stdout, /^id +outcome .*\nC-\S+ +undone .*\nC-\S+ +undone /)
    const [first = ''] = ids
    const shown = JSON.parse((await run(t, ['case', 'show', first, '-o', 'json'])).stdout)
    assert.equal(shown.severity, undefined)
  })

  it('gives counts as rows in CSV and in lines of JSON', async (t) => {
    const events = ['Phishing', 'Spam'].map((type) => ({
      event_type: type,
      ip: '198.51.100.90',
      customer_id: 'K-counted',
      event_date: '2026-11-20T10:00:00Z',
      sender_email: 'counted@reporter.example',
    }))
    const pushed = await run(t, ['event', 'push', '-'], JSON.stringify(events))
    assert.equal(pushed.code, EXIT.ok, pushed.stderr)
    const states = await run(t, ['case', 'count', '-o', 'csv'])
    assert.match(states.stdout, /^value,count\r\nNEW,\d+\r\n/, states.stderr)
    const asked = ['stats', '--metric', 'events', '--from', '2026-11-19T00:00:00Z']
    const until = [...asked, '--to', '2026-11-21T00:00:00Z', '--customer-id', 'K-counted']
    const days = await run(t, [...until, '--interval', 'day', '-o', 'csv'])
    const first = '2026-11-19T00:00:00.000Z'
    const second = '2026-11-20T00:00:00.000Z'
    assert.equal(days.stdout, `at,count\r\n${first},0\r\n${second},2\r\n`, days.stderr)
    const top = (await run(t, [...until, '--by', 'event_type', '-o', 'jsonl'])).stdout
    const rows = top
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(new Set(rows.map(({ value }) => value)), new Set(['Phishing', 'Spam']))
    const both = await run(t, [...until, '--by', 'event_type', '--interval', 'day', '-o', 'csv'])
    assert.match(both.stdout, /^at,value,count\r\n/)
    assert.ok(both.stdout.includes(`${first},Spam,0\r\n${second},Spam,1\r\n`), both.stdout)
  })

  it('assigns, comments, moves and closes them, and the history shows it', async (t) => {
    const [id = '', other = ''] = await pushTwo(t, 'work')
    assert.equal((await run(t, ['case', 'assign', id, '--to', 'ana'])).code, EXIT.ok)
    const said = await run(t, ['case', 'comment', id, '-'], 'Called the customer.\n')
    assert.match(said.stdout, /^text +Called the customer\.$/m)
    const both = await run(t, ['case', 'move', '-', '--to', 'IN_PROGRESS'], `${id}\n${other}\n`)
    assert.equal(both.stderr, `case move ${id}: done\ncase move ${other}: done\n`)
    const unasked = await run(t, ['case', 'close', id, '--close-reason', 'duplicate'])
    assert.equal(unasked.code, EXIT.usage)
    assert.match(unasked.stderr, /^casework: Close 1 case\? Say --yes/)
    const closing = ['case', 'close', id, '--close-reason', 'duplicate', '--yes']
    const closed = await run(t, [...closing, '-o', 'json'])
    assert.equal(JSON.parse(closed.stdout).state, 'CLOSED', closed.stderr)
    const shown = JSON.parse((await run(t, ['case', 'show', id, '-o', 'json'])).stdout)
    assert.deepEqual([shown.assignee_user_id, shown.close_reason], ['ana', 'duplicate'])
    const history = (await run(t, ['case', 'history', id, '-o', 'jsonl'])).stdout
    assert.match(history, /"IN_PROGRESS"/)
    const timeline = (await run(t, ['case', 'timeline', id, '-o', 'csv'])).stdout
    assert.match(timeline, /^at,kind,what,actor_name,actor,text,data\r\n/)
  })

  it('goes on behind one that is refused, and ends with its exit code', async (t) => {
    const [id = ''] = await pushTwo(t, 'mixed')
    const missing = 'C-01937B5E-6C1A-7F3B-9E51-2A7C1D0E4B11'
    const outcome = await run(t, ['case', 'assign', missing, id, '--to', 'bob'])
    assert.equal(outcome.code, EXIT.notFound)
    assert.match(outcome.stderr, new RegExp(`${missing}: There is no case`))
    assert.match(outcome.stderr, new RegExp(`case assign ${id}: done`))
  })

  it('refuses a version that is old, and shows a request without sending it', async (t) => {
    const [id = ''] = await pushTwo(t, 'version')
    const change = ['case', 'change', id, '--severity', 'high', '--add-tags', 'a,b']
    const shown = await run(t, [...change, '--dry-run'])
    const body = '{"severity":"high","add_tags":["a","b"]}'
    assert.equal(shown.stdout, `PATCH /beta/casework/cases/${id} ${body}\n`)
    assert.equal((await run(t, [...change, '--if-version', '1'])).code, EXIT.ok)
    const late = await run(t, [...change, '--if-version', '1'])
    assert.equal(late.code, EXIT.failure)
    assert.match(late.stderr, /version/)
  })

  it('acts on the record as it is, also when it changes just then', async (t) => {
    const [id = ''] = await pushTwo(t, 'racing')
    let races = 2
    const proxy = createServer((request, response) => {
      void (async () => {
        const body = await readText(request)
        const path = `/beta/casework/cases/${id}`
        if (request.method === 'PATCH' && races > 0) {
          races -= 1
          const { version } = (await app.send('GET', path, { token })).json()
          const json = { version, add_tags: [`race-${races}`] }
          assert.equal((await app.send('PATCH', path, { token, json })).status, 200)
        }
        const { authorization = '', 'content-type': type = 'application/json' } = request.headers
        const answer = await fetch(`${url}${request.url}`, {
          method: request.method ?? 'GET',
          headers: { authorization, 'content-type': type },
          ...(body === '' ? {} : { body }),
        })
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        response.end(await answer.text())
      })()
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    t.after(() => proxy.close())
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = proxy.address() as AddressInfo
    const args = ['case', 'change', id, '--add-tags', 'mine', '-o', 'json']
    const changed = await runCasework(t, args, { url: `http://127.0.0.1:${port}`, token })
    assert.equal(changed.code, EXIT.ok, changed.stderr)
    const tags = new Set(JSON.parse(changed.stdout).tags)
    assert.deepEqual(tags, new Set(['mine', 'race-0', 'race-1']))
  })

  it('says which flag has a wrong value before anything is sent', async (t) => {
    for (const [args, what] of [
      [['case', 'change', 'C-1', '--severity', 'odd'], /--severity takes one of low, medium/],
      [['case', 'change', 'C-1', '--metadata', '{'], /--metadata is no valid JSON/],
      [['case', 'list', '--limit', 'few'], /--limit takes a whole number above 0/],
      [['case', 'assign', 'C-1'], /--to is needed: Who works on the case\.$/m],
      [['case', 'move', 'C-1'], /--to is needed: one of NEW, IN_PROGRESS, RESOLVED, CLOSED\.$/m],
      [
        ['case', 'close', 'C-1', '--yes'],
        /--close-reason is needed: one of not_ours, .* CLOSED\.$/m,
      ],
      [['case', 'notify', 'C-1'], /--template is needed: /],
      [['case', 'list', '-o', 'xml'], /--output takes human, json, jsonl, csv, raw/],
      [['event', 'push', '--body', '/nowhere.json'], /"\/nowhere\.json" cannot be read/],
    ] as const) {
      const { code, stderr } = await run(t, args)
      assert.ok(code === EXIT.usage || code === EXIT.notFound, stderr)
      assert.match(stderr, what)
    }
  })
})

describe('other commands', () => {
  it('put an item on a list and take it off, and say what was refused', async (t) => {
    const source = ['--list', 'ours', '--source', 'desk']
    assert.equal((await run(t, ['list', 'add', '198.51.100.7', ...source])).code, EXIT.ok)
    const listed = (await run(t, ['list', 'entries', 'mail-blocklist', 'desk', '-o', 'jsonl']))
      .stdout
    assert.match(listed, /198\.51\.100\.7/)
    assert.equal((await run(t, ['delist', '198.51.100.7', ...source])).code, EXIT.usage)
    assert.equal((await run(t, ['delist', '198.51.100.7', ...source, '--yes'])).code, EXIT.ok)
    const odd = await run(t, ['list', 'add', 'not an item', ...source])
    assert.equal(odd.code, EXIT.partial)
    assert.match(odd.stderr, /^casework: Refused: row 0: /)
  })

  it('call any operation by its id, or by method and path', async (t) => {
    const who = JSON.parse((await run(t, ['api', 'getWhoami'])).stdout)
    const same = JSON.parse((await run(t, ['api', 'GET', '/beta/whoami'])).stdout)
    assert.equal(who.token_id, same.token_id)
    const made = await run(t, [
      'api',
      'createView',
      '-f',
      'name=mine',
      '-f',
      'list=cases',
      '-f',
      'query={}',
    ])
    assert.equal(JSON.parse(made.stdout).name, 'mine', made.stderr)
    const query = await run(t, ['api', 'get', '/beta/casework/views', '-f', 'limit=1'])
    assert.equal(JSON.parse(query.stdout).items.length, 1)
    assert.match((await run(t, ['api', '--list'])).stdout, /^listCases +GET .* case list /m)
    for (const [args, code, what] of [
      [['api', 'nope'], EXIT.usage, /no operation nope/],
      [['api', 'getCase'], EXIT.usage, /api getCase <case-id>/],
      [['api', 'getWhoami', '-f', 'x=1'], EXIT.usage, /has no x/],
      [['api', 'GET', 'beta'], EXIT.usage, /A path such as/],
      [['api', 'GET', '/beta/casework/cases/C-1'], EXIT.notFound, /no case/],
    ] as const) {
      const outcome = await run(t, args)
      assert.equal(outcome.code, code, outcome.stderr)
      assert.match(outcome.stderr, what)
    }
  })

  it('show the request of a method and a path with --dry-run, and send nothing', async (t) => {
    const fields = ['-f', 'name=kept', '-f', 'list=cases', '-f', 'query={}']
    const { id } = JSON.parse((await run(t, ['api', 'createView', ...fields])).stdout)
    const path = `/beta/casework/views/${id}`
    const tried = await run(t, ['api', 'DELETE', path, '--dry-run'])
    assert.deepEqual([tried.code, tried.stdout], [EXIT.ok, `DELETE ${path}\n`])
    assert.match((await run(t, ['view', 'list', '-o', 'jsonl'])).stdout, new RegExp(id))
    const made = await run(t, ['api', 'POST', '/beta/casework/views', ...fields, '--dry-run'])
    assert.equal(
      made.stdout,
      'POST /beta/casework/views {"name":"kept","list":"cases","query":{}}\n',
    )
  })

  it('ask for no further page when nobody reads on', async (t) => {
    let pages = 0
    const stub = await serveStub(t, (_, response) => {
      pages += 1
      // The command would ask on for ever; the stub says so by a failure.
      response.statusCode = pages > 2_000 ? 500 : 200
      const changes = [{ serial: pages, item: 'x'.repeat(2_000) }]
      const result = { changes, next: `${pages}`, more: true }
      response.end(JSON.stringify({ status: 'success', statusCode: 200, result }))
    })
    for (const form of ['jsonl', 'raw']) {
      pages = 0
      const args = ['changes', '--after', '0', '--all', '-o', form]
      const { code, stderr } = await runCasework(t, args, {
        url: stub,
        token: 'x',
        readBytesMax: 100,
      })
      assert.deepEqual({ code, stderr }, { code: EXIT.ok, stderr: '' }, form)
    }
  })

  it('say of a dry run of the server that nothing was stored', async (t) => {
    const mail = [
      'From: ann@reporter.example',
      'Subject: attack from 198.51.100.77',
      'Date: Fri, 20 Nov 2026 10:00:00 +0000',
      '',
      'Your host 198.51.100.77 has tried to log in by SSH on 2026-11-20 09:59:00 UTC.',
      '',
    ].join('\r\n')
    const tried = await run(t, ['report', 'push', '-', '--dry-run'], mail)
    assert.equal(tried.code, EXIT.ok, tried.stderr)
    assert.match(tried.stderr, /^A dry run: nothing was stored or sent/)
    const pushed = await run(t, ['report', 'push', '-'], mail)
    assert.doesNotMatch(pushed.stderr, /dry run/)
  })

  it('make a role and a service account, a token of both, and give it a new secret', async (t) => {
    const role = ['--name', 'night-shift', '--scopes', 'cases:read,events:read']
    assert.equal((await run(t, ['role', 'create', ...role])).code, EXIT.ok)
    const account = ['--id', 'gateway', '--name', 'Mail gateway']
    assert.equal((await run(t, ['service-account', 'create', ...account])).code, EXIT.ok)
    const owner = ['--service-account', 'gateway', '--networks', '127.0.0.1,192.0.2.0/24']
    const roles = ['--role', 'night-shift,ingest']
    const made = await run(t, ['token', 'create', ...roles, ...owner, '-o', 'json'])
    assert.equal(made.code, EXIT.ok, made.stderr)
    const { id, token: former, ...shown } = JSON.parse(made.stdout)
    assert.deepEqual(shown.roles, ['night-shift', 'ingest'])
    assert.deepEqual(shown.owner, { kind: 'service_account', id: 'gateway' })
    assert.deepEqual(shown.networks, ['127.0.0.1/32', '192.0.2.0/24'])
    const rotated = await run(t, ['token', 'rotate', id, '--overlap', '0', '--yes'])
    assert.equal(rotated.code, EXIT.ok, rotated.stderr)
    assert.match(rotated.stderr, /the former secret has ended/)
    assert.match(rotated.stdout, /^cw_api_\w+\n$/)
    const codes = []
    for (const one of [former, rotated.stdout.trim()]) {
      codes.push((await runCasework(t, ['whoami'], { url, token: one })).code)
    }
    assert.deepEqual(codes, [EXIT.credential, EXIT.ok])
    const long = await run(t, ['token', 'rotate', id, '--overlap', '169', '--yes'])
    assert.deepEqual([long.code, /at most 168/.test(long.stderr)], [EXIT.usage, true])
    const inUse = await run(t, ['role', 'delete', 'night-shift', '--yes'])
    assert.notEqual(inUse.code, EXIT.ok)
    const wrong = await run(t, ['token', 'create', '--role', 'king'])
    assert.notEqual(wrong.code, EXIT.ok)
    assert.match(wrong.stderr, /king/)
    const gone = await run(t, ['service-account', 'delete', 'gateway', '--yes'])
    assert.equal(gone.code, EXIT.ok, gone.stderr)
    const listed = await run(t, ['role', 'list', '-o', 'jsonl'])
    assert.match(listed.stdout, /"night-shift"/)
    assert.equal((await run(t, ['role', 'delete', 'night-shift', '--yes'])).code, EXIT.ok)
  })

  it('end with exit code 3 without a token that is good', async (t) => {
    const bad = await runCasework(t, ['whoami'], { url, token: 'cw_api_wrong' })
    assert.equal(bad.code, EXIT.credential)
  })
})

describe('the table of commands', () => {
  it('names operations, members and flags that the interface has', () => {
    for (const { name, operation, flags, without, required, text } of OPERATION_COMMANDS) {
      const known = listOperations().get(operation)
      assert.ok(known !== undefined, `${name}: ${operation}`)
      const members = [...known.query, ...known.body].map((member) => member.name)
      for (const member of [...Object.keys(flags ?? {}), ...(without ?? []), ...(required ?? [])]) {
        assert.ok(members.includes(member), `${name}: ${member}`)
      }
      if (text !== undefined) assert.ok(members.includes(text), `${name}: ${text}`)
    }
    const names = OPERATION_COMMANDS.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
  })

  it('has examples whose values the interface takes', () => {
    const faults = OPERATION_COMMANDS.flatMap((spec) =>
      spec.examples.flatMap((one) => {
        try {
          tryExample(spec, one)
          return []
        } catch (error) {
          return [`${one}: ${String(error)}`]
        }
      }),
    )
    assert.deepEqual(faults, [])
  })

  it('shows columns that the answers have', () => {
    const document = JSON.parse(JSON.stringify(buildOpenapi(buildRoutes(app.services))))
    const missing = OPERATION_COMMANDS.flatMap(({ name, operation, columns = [] }) => {
      const schema = findAnswer(document, operation)
      return columns
        .flatMap((column) => column.split('|'))
        .filter((column) => !hasMember(document, schema, column))
        .map((column) => `${name}: ${column}`)
    })
    assert.deepEqual(missing, [])
  })

  it('names each command that is made by hand beside its operation', () => {
    const program = buildProgram(() => undefined)
    for (const [operation, name] of Object.entries(OTHER_COMMANDS)) {
      assert.ok(listOperations().has(operation), operation)
      const leaf = name
        .split(' ')
        .reduce<typeof program | undefined>(
          (at, word) => at?.commands.find((one) => one.name() === word),
          program,
        )
      assert.ok(leaf !== undefined, name)
    }
  })

  it('has every operation of the interface within reach of `api`', () => {
    const document: { paths: Record<string, Record<string, { operationId?: string }>> } =
      JSON.parse(JSON.stringify(buildOpenapi(buildRoutes(app.services))))
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) =>
        operationId === undefined ? [] : [operationId],
      ),
    )
    assert.ok(ids.length > 150)
    assert.deepEqual(new Set(listOperations().keys()), new Set(ids))
    for (const operation of listOperations().values()) {
      const spec = { name: 'x', operation: operation.id, about: '', examples: ['x'] as const }
      const params = operation.params.map(({ name }) => `a ${name}/`)
      const { path } = buildRequest({ operation, spec, params, text: null, flags: {} })
      assert.doesNotMatch(path, /[{} ]/, operation.id)
    }
  })
})

/** Throws when the interface does not take the values of an example. */
function tryExample(spec: (typeof OPERATION_COMMANDS)[number], example: string): void {
  const words = splitWords(example.split(' > ')[0]?.split(' < ')[0] ?? '')
  const program = buildProgram(() => undefined, words)
  let reached = false
  const leaf = spec.name
    .split(' ')
    .reduce((at, word) => at.commands.find((one) => one.name() === word) ?? at, program)
  leaf.action((...given: unknown[]) => {
    const flags = leaf.opts()
    const operation = listOperations().get(spec.operation)
    assert.ok(operation !== undefined)
    const args = given.slice(0, operation.params.length).map(String)
    const isFile = flags['body'] !== undefined || spec.takesFile === true
    if (!isFile) buildRequest({ operation, spec, params: args, text: 'x', flags })
    reached = true
  })
  program.parse(words, { from: 'user' })
  assert.ok(reached, example)
}

/** Words as a shell makes them of a line with quotes. */
function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

// oxlint-disable-next-line typescript/no-explicit-any -- a document of any shape
type Schema = Readonly<Record<string, any>>

function resolve(document: Schema, schema: Schema | undefined): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.['$ref'] ?? '')?.[1]
  return name === undefined
    ? (schema ?? {})
    : resolve(document, document['components'].schemas[name])
}

/** The schema of the record or of the entries of the first good answer. */
function findAnswer(document: Schema, id: string): Schema {
  const operations: readonly Schema[] = Object.values<Schema>(document['paths']).flatMap((item) =>
    Object.values<Schema>(item),
  )
  const responses: Schema = operations.find((one) => one['operationId'] === id)?.['responses'] ?? {}
  const answers = Object.entries<Schema>(responses).filter(([status]) => status.startsWith('2'))
  return findRow(
    document,
    answers.map(([, one]) => one['content']?.['application/json']?.schema)[0],
  )
}

function findRow(document: Schema, given: Schema | undefined): Schema {
  const schema = resolve(document, given)
  if (schema['type'] === 'array') return findRow(document, schema['items'])
  const { items, entries, changes, result } = schema['properties'] ?? {}
  const list = [items, entries, changes].find((one) => resolve(document, one)['type'] === 'array')
  const inner = list ?? result
  return inner === undefined ? schema : findRow(document, inner)
}

function hasMember(document: Schema, given: Schema | undefined, path: string): boolean {
  const schema = resolve(document, given)
  const [name = '', ...rest] = path.split('.')
  const options: readonly Schema[] = [
    ...(schema['anyOf'] ?? []),
    ...(schema['oneOf'] ?? []),
    ...(schema['allOf'] ?? []),
  ]
  if (options.some((one) => hasMember(document, one, path))) return true
  // A list of texts is a table with one column.
  if (schema['type'] === 'string' && name === 'value') return true
  const inner = /^\d+$/.test(name) ? schema['items'] : schema['properties']?.[name]
  if (inner === undefined) return false
  return rest.length === 0 || hasMember(document, inner, rest.join('.'))
}
