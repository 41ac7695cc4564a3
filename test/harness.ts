// Opens the whole program in a test: its real router over its own database, cloned from the
// template that test/setup.ts made.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { Client } from 'pg'
import { insertToken } from '../src/access/api-token-store.ts'
import { createTokenText, hashToken } from '../src/access/token-text.ts'
import { compose, type Services } from '../src/app/compose.ts'
import { buildHttp, createHttpParts } from '../src/app/http.ts'
import { buildMainRoutes } from '../src/app/routes.ts'
import { NETWORK_TABLE_FILE } from '../src/intel/enrichment/asn.ts'
import { type Clock, systemClock } from '../src/kernel/clock.ts'
import { type Config, loadConfig } from '../src/kernel/config.ts'
import type { DatabaseConnection } from '../src/kernel/db/database-hosts.ts'
import { enterAllTenants, outsideScopes } from '../src/kernel/db/row-scope.ts'
import type { FindPage } from '../src/kernel/http/find-page.ts'
import type { Log } from '../src/kernel/log.ts'
import { DEFAULT_TENANT_ID } from '../src/vocabulary/caller.ts'
import { SCOPES, type Scope } from '../src/vocabulary/scopes.ts'
import type { AnswerFields } from './answer-fields.ts'
import { assertAnswerRules } from './answer-rules.ts'
import { watchSecrets } from './secret-watch.ts'
import { watchStatements } from './statement-watch.ts'

export const TEMPLATE_DATABASE = 'casework_template'
/** The program and its tests work as another role. With a server of one's own, its URL names it. */
export const SUPERUSER = process.env['CASEWORK_TEST_SUPERUSER'] ?? 'casework'
/** For the connections of tests that are not the program's (`options` of the driver). */
export const ROWS_OF_ALL_TENANTS = '-c casework.tenant_id=*'

// What a test asks the database itself is about all tenants. The program gets nothing of that:
// what it opens and answers runs outside of this scope.
enterAllTenants()
// On a Citus cluster the database itself judges.
if (!isOnCitus()) watchStatements()

/** True in a run of `npm run test:citus`. */
export function isOnCitus(): boolean {
  return process.env['CASEWORK_TEST_CLUSTER'] !== undefined
}

export interface SocketConnection {
  readonly host: string
  readonly user: string
  readonly database: string
  readonly port: number
}

/**
 * The servers that each database of a test is made on, the coordinator first: those of a Citus
 * cluster (test/citus/setup.ts), else the one of the connection.
 */
export function readTestNodes(): readonly SocketConnection[] {
  const text = process.env['CASEWORK_TEST_NODES']
  return text === undefined ? [readTestConnection()] : (JSON.parse(text) as SocketConnection[])
}

/**
 * A connection for what a test asks the database itself. Citus tells its workers nothing of the row
 * scope of a session, so there it is the superuser, whom no row is hidden from.
 */
export function asObserver<Connection extends object>(connection: Connection): Connection {
  return isOnCitus()
    ? { ...connection, user: SUPERUSER }
    : { ...connection, options: ROWS_OF_ALL_TENANTS }
}

/** The connection that the global set-up left in the environment. */
export function readTestConnection(): SocketConnection {
  const text = process.env['CASEWORK_TEST_POSTGRES']
  if (text === undefined) {
    throw new Error('run the tests with "npm test": its global set-up starts the database')
  }
  return JSON.parse(text) as SocketConnection
}

export interface TestDatabase {
  readonly connection: SocketConnection
  readonly drop: () => Promise<void>
}

/** A fresh database with the whole schema, for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const admin = readTestConnection()
  const database = `test_${randomBytes(8).toString('hex')}`
  // Copying the files takes half the processor time of writing every page to the log.
  await runOnNodes(
    admin,
    `create database ${database} template ${TEMPLATE_DATABASE} owner ${admin.user} strategy file_copy`,
  )
  return {
    connection: { ...admin, database },
    // Without force the server waits 5 s for connections to end: those of a closed pool may still
    // be closing. One that is cut then ends the process of the tests by an uncaught ECONNRESET.
    // The nodes of a Citus cluster keep their connections to each other.
    async drop() {
      const statement = `drop database if exists ${database}`
      const force = () => runOnNodes(admin, `${statement} with (force)`)
      if (isOnCitus()) return await force()
      await runOnNodes(admin, statement).catch(force)
    },
  }
}

async function runOnNodes(connection: SocketConnection, statement: string): Promise<void> {
  await Promise.all(
    readTestNodes().map((node) =>
      runAsAdmin({ ...connection, host: node.host, port: node.port }, statement),
    ),
  )
}

async function runAsAdmin(connection: SocketConnection, statement: string): Promise<void> {
  const client = new Client({ ...connection, user: SUPERUSER, database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export interface TestRequest {
  readonly token?: string
  readonly json?: unknown
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | number | undefined>
  readonly text: string
  readonly json: () => AnswerFields
}

export interface TestApp {
  readonly services: Services
  readonly connection: SocketConnection
  readonly send: (method: string, path: string, request?: TestRequest) => Promise<TestAnswer>
  /** A new token; every scope and the default tenant when left out. */
  readonly createToken: (options?: {
    scopes?: readonly Scope[]
    tenantId?: string
    contactEmail?: string | null
    expiresAt?: Date
  }) => Promise<string>
  readonly createTenant: (tenantId: string) => Promise<void>
  readonly app: ReturnType<typeof buildHttp>
  readonly close: () => Promise<void>
}

export interface TestAppOptions {
  /** Settings as environment variables, as an operator would give them. */
  readonly environment?: Record<string, string>
  readonly clock?: Clock
  /** Beside the harness, which searches every line for secrets when the program is closed. */
  readonly log?: Log
  /** How the program reaches its database, when it is not by the socket. */
  readonly reach?: (connection: SocketConnection) => DatabaseConnection
  /** Pages for people, which no other test needs. */
  readonly findPage?: FindPage
}

/** Starts the program over a database of its own. Close it in `after`. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'casework-test-'))
  const networkTable = process.env['CASEWORK_TEST_NETWORK_TABLE']
  if (networkTable !== undefined) await symlink(networkTable, join(dataDir, NETWORK_TABLE_FILE))
  const config = buildTestConfig({ CASEWORK_DATA_DIR: dataDir, ...options.environment })
  const watch = watchSecrets(options.log)
  watch.noteSettings(options.environment ?? {})
  const services = await outsideScopes(() =>
    compose({
      config,
      connection: options.reach?.(database.connection) ?? database.connection,
      log: watch.log,
      clock: options.clock ?? systemClock,
    }),
  )
  const app = buildHttp(services, {
    routes: buildMainRoutes(services),
    parts: createHttpParts(services),
    ...(options.findPage === undefined ? {} : { findPage: options.findPage }),
  })
  const db = services.foundation.database.kysely
  return {
    services,
    app,
    connection: database.connection,
    async send(method, path, request = {}) {
      const headers: Record<string, string> = { ...request.headers }
      if (request.token !== undefined) headers['authorization'] = `Bearer ${request.token}`
      if (request.json !== undefined) headers['content-type'] ??= 'application/json'
      const payload = request.json === undefined ? request.body : JSON.stringify(request.json)
      const answer = await outsideScopes(() =>
        app.inject({
          method: method as 'GET',
          url: path,
          headers,
          ...(payload === undefined ? {} : { payload }),
          ...(path.startsWith(ENDLESS_PATH) ? { payloadAsStream: true as const } : {}),
        }),
      )
      const { statusCode: status } = answer
      const text = path.startsWith(ENDLESS_PATH) ? await readBeginning(answer) : answer.payload
      assertAnswerRules({ status, headers: answer.headers, text })
      watch.noteRequest(request)
      watch.noteAnswer({ headers: answer.headers, text })
      return { status, headers: answer.headers, text, json: () => JSON.parse(text) }
    },
    async createToken(token = {}) {
      const text = createTokenText('api')
      watch.noteSecret(text)
      await insertToken(db, {
        id: `tok_${randomBytes(8).toString('hex')}`,
        tokenHash: hashToken(text),
        name: 'test',
        tenantId: token.tenantId ?? DEFAULT_TENANT_ID,
        scopes: token.scopes ?? SCOPES,
        contactEmail:
          token.contactEmail === undefined ? 'reporter@example.com' : token.contactEmail,
        isBootstrap: false,
        expiresAt: token.expiresAt ?? null,
      })
      await services.tokens.refresh()
      return text
    },
    async createTenant(tenantId) {
      await services.foundation.database.pool.query(
        'insert into tenant (id, name) values ($1, $1)',
        [tenantId],
      )
    },
    async close() {
      await app.close()
      await services.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
      watch.failProcess()
    },
  }
}

export interface SharedApp extends TestApp {
  /** A token of the default tenant with every scope. */
  readonly token: string
}

/**
 * One program for all tests of a file: `const app = withApp()` at its top opens the program before
 * them and closes it after them. Its members throw outside of tests. `prepare` runs before the
 * first test; another `before` would not do, because hooks of a file may run at the same time.
 */
export function withApp(
  options: TestAppOptions = {},
  prepare?: (app: SharedApp) => Promise<void>,
): SharedApp {
  let opened: SharedApp | null = null
  before(async () => {
    const app = await openTestApp(options)
    opened = { ...app, token: await app.createToken() }
    await prepare?.(opened)
  })
  after(async () => {
    await opened?.close()
  })
  const use = (): SharedApp => {
    if (opened === null) throw new Error('the program of withApp is open in tests only')
    return opened
  }
  return {
    get token() {
      return use().token
    },
    get services() {
      return use().services
    },
    get connection() {
      return use().connection
    },
    get app() {
      return use().app
    },
    send: (...request) => use().send(...request),
    createToken: (...token) => use().createToken(...token),
    createTenant: (tenantId) => use().createTenant(tenantId),
    close: () => use().close(),
  }
}

// Server-sent events: the answer ends when the client leaves.
const ENDLESS_PATH = '/beta/casework/stream'

/** The first message of a stream, whose client leaves then; all of any other answer. */
async function readBeginning(
  answer: Awaited<ReturnType<ReturnType<typeof buildHttp>['inject']>>,
): Promise<string> {
  const isEndless = String(answer.headers['content-type']).startsWith('text/event-stream')
  let text = ''
  for await (const part of answer.stream()) {
    text += String(part)
    if (isEndless) break
  }
  if (isEndless) answer.raw.res.destroy()
  return text
}

/** Settings for a test: no DNS, no access log, everything else as shipped. */
export function buildTestConfig(environment: Record<string, string>): Config {
  return loadConfig({
    flags: {},
    environment: { CASEWORK_REVERSE_DNS: 'off', CASEWORK_ACCESS_LOG: 'off', ...environment },
    file: null,
  }).config
}
