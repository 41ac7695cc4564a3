// Proves what threads and nodes know of tokens: new ones at once, revoked ones within a second,
// none by guessing while the database is away. A node is a composition of its own, as an HTTP
// thread is.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDatabaseProxy } from '../../test/database-proxy.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { openSecondNode, type SecondNode } from '../../test/intel-fixtures.ts'
import { waitUntil } from '../../test/wait.ts'
import { createDatabase } from '../kernel/db/database.ts'
import { createLog, silentLog } from '../kernel/log.ts'
import {
  insertToken,
  listTokensChangedSince,
  readTokenSerial,
  revokeToken,
} from './api-token-store.ts'
import { openTokenDirectory } from './token-directory.ts'
import { createTokenText, hashToken } from './token-text.ts'

let app: TestApp
let other: SecondNode
before(async () => {
  app = await openTestApp()
  other = await openSecondNode(app)
})
after(async () => {
  await other.close()
  await app.close()
})

const WHOAMI = '/beta/whoami'

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

test('200 on another thread or node for a token that was made a moment ago, and no such request counts as wrong', async () => {
  // More than the 30 wrong credentials that an address has a minute.
  for (let i = 0; i < 35; i += 1) {
    const token = await app.createToken()
    const answer = await other.send('GET', WHOAMI, undefined, bearer(token))
    assert.equal(answer.status, 200, `token ${i + 1}`)
  }
  assert.equal((await other.send('GET', WHOAMI, undefined, bearer('wrong'))).status, 401)
})

test('200 for a new token also after so many wrong ones of its address that those get 429', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      return (await other.send('GET', WHOAMI, undefined, bearer(`wrong${i}`))).status
    }),
  )
  assert(statuses.includes(429))
  const token = await app.createToken()
  assert.equal((await other.send('GET', WHOAMI, undefined, bearer(token))).status, 200)
})

test('a crowd of unknown tokens costs the database a few reads of one row', async () => {
  const database = createDatabase({ connection: app.connection, poolMax: 5, log: silentLog })
  // A busy machine may take more than the second that a request waits, and waiting is not what this
  // is about.
  const directory = await openTokenDirectory(database.kysely, silentLog, {
    askTimeoutMs: 60_000,
  })
  try {
    let statements = 0
    database.pool.on('acquire', () => {
      statements += 1
    })
    const found = await Promise.all(
      Array.from({ length: 10_000 }, (_, i) => directory.findNewCaller(`unknown${i}`)),
    )
    assert(found.every((caller) => caller === null))
    // One at once and one for all that came while it ran; polls of half a second come on top.
    assert(statements < 100, `${statements} statements`)
  } finally {
    await directory.close()
    await database.close()
  }
})

test('a change makes nodes read the tokens that changed and no others', async () => {
  const { kysely: db } = app.services.foundation.database
  const former = await readTokenSerial(db)
  const id = 'tok_changed'
  const text = createTokenText('api')
  await insertToken(db, {
    id,
    tokenHash: hashToken(text),
    name: 'changed',
    tenantId: 'default',
    scopes: ['cases:read'],
    contactEmail: null,
    isBootstrap: false,
    expiresAt: null,
  })
  const made = await readTokenSerial(db)
  assert(made > former)
  assert.deepEqual(
    (await listTokensChangedSince(db, former)).map((token) => token.id),
    [id],
  )
  assert.equal(await revokeToken(db, { id, tenantId: null, isForced: false }), 'revoked')
  const [revoked, ...rest] = await listTokensChangedSince(db, made)
  assert.deepEqual(rest, [])
  assert.equal(revoked?.id, id)
  assert.notEqual(revoked.revokedAt, null)
  await other.services.tokens.refresh()
  assert.equal(other.services.tokens.findCaller(text), null)
  assert.equal(await other.services.tokens.findNewCaller(text), null)
})

test('503 for an unknown token while the database is away, and known ones go on, told once in the log with its end', async () => {
  const known = await app.createToken()
  const proxy = await openDatabaseProxy(app.connection)
  const lines: string[] = []
  const log = createLog({
    level: 'info',
    isForPeople: false,
    destination: { write: (line) => lines.push(line) },
  })
  const node = await openSecondNode(app, proxy.connection, { log })
  const told = (): readonly { level: string }[] =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => /kept fresh/.test(msg))
  try {
    await proxy.cut()
    const refused = await node.send('GET', WHOAMI, undefined, bearer('unknown'))
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5'])
    assert.equal((await node.send('GET', WHOAMI, undefined, bearer(known))).status, 200)
    await waitUntil(() => told().length > 0)
    const { ageMs } = node.services.tokens
    const ageAtFirstMs = ageMs()
    // Two polls more.
    await waitUntil(() => ageMs() > ageAtFirstMs + 1_100)
    await proxy.mend()
    await waitUntil(() => told().length > 1)
    assert.deepEqual(
      told().map(({ level }) => level),
      ['warn', 'info'],
    )
    assert.equal((await node.send('GET', WHOAMI, undefined, bearer('unknown'))).status, 401)
  } finally {
    await node.close()
    await proxy.close()
  }
})

test('a revocation and a change of a role reach a node whose connections to the database fell silent', async () => {
  const operator = await app.createToken()
  const ask = async (method: string, path: string, json: object) =>
    (await app.send(method, `/beta/admin${path}`, { token: operator, json })).json()
  await ask('POST', '/roles', { name: 'silent', scopes: ['cases:read'] })
  const bound = await ask('POST', '/tokens', { name: 'bound', roles: ['silent'] })
  const gone = await ask('POST', '/tokens', { name: 'gone', scopes: ['cases:read'] })
  const proxy = await openDatabaseProxy(app.connection)
  const node = await openSecondNode(app, proxy.connection)
  const directory = node.services.tokens
  try {
    assert.notEqual(directory.findCaller(gone.token), null)
    assert.equal(directory.findCaller(bound.token)?.scopes.has('cases:read'), true)
    // Nothing tells the node that its open connections are dead; it must take new ones by itself.
    proxy.swallow()
    await app.send('DELETE', `/beta/admin/tokens/${gone.id}`, { token: operator })
    await ask('PATCH', '/roles/silent', { scopes: ['intel:read'] })
    await waitUntil(() => directory.findCaller(gone.token) === null)
    await waitUntil(() => directory.findCaller(bound.token)?.scopes.has('cases:read') === false)
    assert.deepEqual([...(directory.findCaller(bound.token)?.scopes ?? [])], ['intel:read'])
  } finally {
    await node.close()
    await proxy.close()
  }
})

test('a use that could not be noted while the database was away is noted later', async () => {
  const token = await app.createToken()
  const proxy = await openDatabaseProxy(app.connection)
  const database = createDatabase({ connection: proxy.connection, poolMax: 2, log: silentLog })
  const directory = await openTokenDirectory(database.kysely, silentLog)
  try {
    const tokenId = directory.findCaller(token)?.tokenId ?? ''
    await proxy.cut()
    await assert.rejects(directory.noteUses())
    await proxy.mend()
    await directory.close()
    const { pool } = app.services.foundation.database
    const { rows } = await pool.query('select last_used_at from api_token where id = $1', [tokenId])
    assert(rows[0].last_used_at instanceof Date)
  } finally {
    await database.close()
    await proxy.close()
  }
})
