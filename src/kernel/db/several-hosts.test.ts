// DATABASE_URL with several hosts: which of them serves, and what is told when none does.

import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connectToServer } from '../../../test/database-proxy.ts'
import { createTestDatabase, type SocketConnection } from '../../../test/harness.ts'
import { query } from '../../../test/query.ts'
import { describeExternal, explainTrouble } from '../../app/open-database.ts'
import { silentLog } from '../log.ts'
import { createDatabase, type Database, explainDatabaseTrouble } from './database.ts'
import { type DatabaseTarget, DatabaseUrlNotValid, readTarget } from './database-hosts.ts'

/** Listens on a free port of loopback; its `host:port`. */
async function listen(t: TestContext, take: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    take(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : ''
}

/** A server of its own to look at: the name of the database in the startup message is exchanged. */
async function openHost(t: TestContext): Promise<{ place: string; connection: SocketConnection }> {
  const { connection, drop } = await createTestDatabase()
  t.after(drop)
  const place = await listen(t, (socket) => {
    const server = connectToServer(connection)
    server.on('error', () => undefined)
    socket.once('data', (first: Buffer) => {
      const startup = first.toString('latin1').replace(NAME, connection.database)
      server.write(Buffer.from(startup, 'latin1'))
      socket.pipe(server).pipe(socket)
    })
    socket.on('close', () => server.destroy())
    server.on('close', () => socket.destroy())
  })
  return { place, connection }
}

// As long as the names of test databases.
const NAME = `test_${'0'.repeat(16)}`

async function setReadOnly(connection: SocketConnection, value: 'on' | 'off'): Promise<void> {
  const statement = `alter database ${connection.database} set default_transaction_read_only = ${value}`
  await query(connection, `begin read write; ${statement}; commit`)
}

async function nobody(t: TestContext): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => {
    server.close(resolve)
  })
  assert.ok(typeof address === 'object' && address !== null)
  t.diagnostic(`nobody listens on ${address.port}`)
  return `127.0.0.1:${address.port}`
}

function buildUrl(user: string, places: readonly string[], more = ''): string {
  return `postgres://${user}@${places.join(',')}/${NAME}${more}`
}

function open(t: TestContext, connectionString: string): Database {
  const database = createDatabase({
    connection: { connectionString },
    poolMax: 2,
    log: silentLog,
  })
  t.after(() => database.close())
  return database
}

async function readName(database: Database): Promise<string> {
  const { rows } = await database.pool.query('select current_database() as name')
  return rows[0]?.name
}

test('the host that takes writes is found behind one that is silent, one that is away and a standby, and again after a failover', async (t) => {
  const [one, two] = [await openHost(t), await openHost(t)]
  await setReadOnly(one.connection, 'on')
  const silent = await listen(t, () => undefined)
  const places = [silent, await nobody(t), one.place, two.place]
  const url = buildUrl(one.connection.user, places, '?target_session_attrs=read-write')
  const database = open(t, url)
  assert.equal(await readName(database), two.connection.database)
  // The former primary comes back as a standby, and the other one takes writes.
  await setReadOnly(two.connection, 'on')
  await setReadOnly(one.connection, 'off')
  const { rows } = await database.pool.query('select pg_backend_pid() as pid')
  await query(two.connection, 'select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
  await database.pool.query('select 1').catch(() => undefined)
  assert.equal(await readName(database), one.connection.database)
})

test('a connection whose server became a standby gives way to one to the new primary after one write', async (t) => {
  const [one, two] = [await openHost(t), await openHost(t)]
  await setReadOnly(two.connection, 'on')
  const database = open(t, buildUrl(one.connection.user, [one.place, two.place]))
  assert.equal(await readName(database), one.connection.database)
  await setReadOnly(one.connection, 'on')
  await setReadOnly(two.connection, 'off')
  const standby = await database.pool.connect()
  await standby.query('set default_transaction_read_only = on')
  await assert.rejects(standby.query(`update tenant set name = name`), { code: '25006' })
  standby.release()
  assert.equal(await readName(database), two.connection.database)
})

test('any takes the first host that answers, also one that takes no writes', async (t) => {
  const [one, two] = [await openHost(t), await openHost(t)]
  await setReadOnly(one.connection, 'on')
  const places = [await nobody(t), one.place, two.place]
  const url = buildUrl(one.connection.user, places, '?target_session_attrs=any')
  assert.equal(await readName(open(t, url)), one.connection.database)
})

test('when no host serves, each is named with its own reason, without the password', async (t) => {
  const one = await openHost(t)
  await setReadOnly(one.connection, 'on')
  const refusing = await listen(t, refuseParameter)
  const places = [await nobody(t), refusing, one.place]
  const url = buildUrl(`${one.connection.user}:opensesame`, places)
  const error = await open(t, url)
    .pool.query('select 1')
    .catch((cause: unknown) => cause)
  const message = String(explainTrouble(error, describeExternal(url)))
  const [away, pooler, standby] = places
  const reasons = [
    `${away}: nothing listens there`,
    `${pooler}: it answers "unsupported startup parameter: statement_timeout"`,
    `${standby}: it takes no writes`,
  ]
  assert.ok(message.includes(`cannot be used: ${reasons.join('; ')}`), message)
  assert.ok(message.includes(`PostgreSQL at ${places.join(', ')}/${NAME}`), message)
  assert.doesNotMatch(message, /opensesame/)
  assert.match(String(explainDatabaseTrouble(error)), /KERNEL_DATABASE_NOT_REACHABLE/)
})

test('one standby alone is refused only where read-write is asked for', async (t) => {
  const one = await openHost(t)
  await setReadOnly(one.connection, 'on')
  const plain = buildUrl(one.connection.user, [one.place])
  assert.equal(await readName(open(t, plain)), one.connection.database)
  const strict = open(t, `${plain}?target_session_attrs=read-write`)
  await assert.rejects(strict.pool.query('select 1'), { code: '25006' })
})

// An ErrorResponse as PgBouncer sends it.
function refuseParameter(socket: Socket): void {
  socket.once('data', () => {
    const fields = 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0'
    const head = Buffer.alloc(5)
    head.write('E')
    head.writeInt32BE(4 + fields.length, 1)
    socket.end(Buffer.concat([head, Buffer.from(fields)]))
  })
}

test('the startup message has no parameter that a pooler refuses, and the reason of a refusal is the pooler’s', async (t) => {
  const seen: string[] = []
  const place = await listen(t, (socket) => {
    socket.on('data', (first: Buffer) => {
      const words = first.subarray(8).toString().split('\0')
      for (let at = 0; at + 1 < words.length; at += 2) seen.push(words[at] ?? '')
    })
    refuseParameter(socket)
  })
  const url = buildUrl('somebody', [place])
  const error = await open(t, url)
    .pool.query('select 1')
    .catch((cause: unknown) => cause)
  const known = ['user', 'database', 'application_name', 'client_encoding', '']
  assert.ok(seen.includes('user'))
  assert.deepEqual(
    seen.filter((name) => !known.includes(name)),
    [],
  )
  const message = String(explainTrouble(error, describeExternal(url)))
  assert.match(message, /it answers "unsupported startup parameter: statement_timeout"/)
  assert.doesNotMatch(message, /does not answer/)
})

function read(connectionString: string): DatabaseTarget {
  return readTarget({ connectionString })
}

test('a list of hosts is read as libpq reads it, and what is wrong with it is told without the password', () => {
  const several = read(
    'postgresql://u:a%2Cb@one.example,[2001:db8::1]:6432,two.example:5433/cw?x=1',
  )
  assert.deepEqual(
    several.hosts.map(({ name }) => name),
    ['one.example:5432', '[2001:db8::1]:6432', 'two.example:5433'],
  )
  assert.deepEqual([several.databaseName, several.mustTakeWrites], ['cw', true])
  assert.equal(read('postgres://u@one.example/cw').mustTakeWrites, false)
  assert.equal(
    read('postgres://u@a.example,b.example/cw?target_session_attrs=any').mustTakeWrites,
    false,
  )
  assert.equal(read('postgres://u@a.example/cw?target_session_attrs=primary').mustTakeWrites, true)
  const wrong = [
    'postgres://u:opensesame@one.example,,two.example/cw',
    'postgres://u:opensesame@one.example:x,two.example/cw',
    'postgres://u:opensesame@one.example/cw?target_session_attrs=standby',
    `postgres://u:opensesame@${Array.from({ length: 17 }, (_, at) => `h${at}`).join(',')}/cw`,
  ]
  for (const url of wrong) {
    assert.throws(
      () => read(url),
      (error) => error instanceof DatabaseUrlNotValid && !/opensesame/.test(error.message),
    )
  }
})
