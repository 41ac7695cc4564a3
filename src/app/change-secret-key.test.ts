// The key of stored secrets: what a start does with it, and how it is changed.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildTestConfig, createTestDatabase } from '../../test/harness.ts'
import { query } from '../../test/query.ts'
import { findOwnerResolver } from '../casework/owners/owner-resolver-store.ts'
import { findSecret, listSecretKeys, putSecret } from '../casework/secrets/secret-store.ts'
import type { Config } from '../kernel/config.ts'
import { createDatabase, type Db, inTransaction } from '../kernel/db/database.ts'
import { inTenant } from '../kernel/db/row-scope.ts'
import { createAnswerKeeper } from '../kernel/http/keep-answer.ts'
import type { RequestContext } from '../kernel/http/route.ts'
import { silentLog } from '../kernel/log.ts'
import { createSecretCipher } from '../kernel/secrets/secret-cipher.ts'
import {
  createSecretKeyText,
  loadSecretKeys,
  parseSecretKeys,
  SECRET_KEYS_MAX,
  writeSecretKeyFile,
} from '../kernel/secrets/secret-keys.ts'
import { changeSecretKey } from './change-secret-key.ts'
import { checkSecrets } from './check-secrets.ts'
import { openServedDatabase } from './open-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'casework-rotate-'))
const store = await createTestDatabase()
const { host, port, user, database: name } = store.connection
const url = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`
const database = createDatabase({ connection: store.connection, poolMax: 2, log: silentLog })
const db = database.kysely
after(async () => {
  await database.close()
  await store.drop()
  rmSync(folder, { recursive: true })
})
const SCOPE = { tenantId: 'default' }
type AnyContext = RequestContext<unknown, unknown, unknown>

function configWith(...keys: readonly string[]) {
  return buildTestConfig({
    DATABASE_URL: url,
    CASEWORK_DATA_DIR: folder,
    CASEWORK_SECRET_KEY: keys.join(),
  })
}

test('a start encrypts what an earlier version stored in clear, and the resolver has it still', async () => {
  await query(
    store.connection,
    `insert into owner_resolver (tenant_id, generation, url, header_name, header_value, timeout_ms, cache_seconds)
     values ('default', gen_random_uuid(), 'https://resolver.example/', 'x-key', 'open sesame', 2000, 60)`,
  )
  const config = configWith(createSecretKeyText())
  await checkSecrets(config, store.connection, silentLog)
  const cipher = createSecretCipher(loadSecretKeys(config))
  assert.equal((await findOwnerResolver(db, cipher, SCOPE))?.headerValue, 'open sesame')
  const rows = await query(store.connection, 'select header_value from owner_resolver')
  assert.deepEqual(rows, [{ header_value: null }])
  await checkSecrets(config, store.connection, silentLog)
  assert.equal((await findOwnerResolver(db, cipher, SCOPE))?.headerValue, 'open sesame')
  await query(store.connection, 'delete from secret')
})

test('with the new key in front of the present one all secrets get the new key', async () => {
  const [present, fresh] = [createSecretKeyText(), createSecretKeyText()]
  const former = createSecretCipher(parseSecretKeys(present) ?? [])
  for (let index = 0; index < 600; index += 1) {
    const place = { owner: 'tenant', name: `many-${index}` }
    await inTransaction(db, (tx) => putSecret(tx, former, SCOPE, place, `value ${index}`))
  }
  const freshId = parseSecretKeys(fresh)?.[0]?.id
  await assert.rejects(changeSecretKey(configWith(fresh)), { code: 'KERNEL_SECRET_KEY_MISSING' })
  assert.deepEqual(await listSecretKeys(db), former.keyIds)
  assert.deepEqual(await changeSecretKey(configWith(fresh, present)), {
    keyId: freshId,
    count: 600,
  })
  assert.deepEqual(await listSecretKeys(db), [freshId])
  assert.deepEqual(await changeSecretKey(configWith(fresh)), { keyId: freshId, count: 0 })
  const entries = await query(
    store.connection,
    'select act, object_id, actor_kind from audit_entry',
  )
  const change = { act: 'secret_key.change', object_id: freshId, actor_kind: 'local' }
  assert.deepEqual(entries, [change, change])
  await assert.rejects(checkSecrets(configWith(present), store.connection, silentLog), {
    code: 'KERNEL_SETTINGS_NOT_USABLE',
    message: new RegExp(`encrypted with the key ${freshId}, and CASEWORK_SECRET_KEY has only`),
  })
})

test('an answer that is kept for repeats is sealed with the new key, too', async () => {
  const [present, fresh] = [createSecretKeyText(), createSecretKeyText()]
  const caller = { tenantId: 'default', tokenId: 'tok_1' }
  const headers = { 'idempotency-key': 'once' }
  const context = { caller, headers, params: {}, query: {}, body: {} }
  const ask = async (key: string, token: string): Promise<unknown> => {
    const keeper = createAnswerKeeper(db, createSecretCipher(parseSecretKeys(key) ?? []))
    const route = { operationId: 'createToken', idempotency: 'sealed' } as const
    const reply = async () => ({ status: 201, json: { token } }) as const
    const answer = await keeper(route, context as unknown as AnyContext, reply)
    return Reflect.get(Object(answer), 'json')
  }
  await query(store.connection, 'delete from secret')
  assert.deepEqual(await ask(present, 'first'), { token: 'first' })
  await changeSecretKey(configWith(fresh, present))
  assert.deepEqual(await ask(fresh, 'second'), { token: 'first' })
})

test('a change with a file that is full after changes that failed loses no key that a secret has', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'casework-keys-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const config = {
    ...configWith(createSecretKeyText()),
    secretKey: null,
    databaseUrl: null,
    dataDir,
  }
  const keys = Array.from({ length: SECRET_KEYS_MAX }, () => createSecretKeyText())
  writeSecretKeyFile(dataDir, keys)
  const oldest = createSecretCipher(parseSecretKeys(keys.at(-1) ?? '') ?? [])
  const place = { owner: 'tenant', name: 'oldest' }
  await onEmbedded(config, (embedded) =>
    inTransaction(embedded, (tx) => putSecret(tx, oldest, SCOPE, place, 'open sesame')),
  )
  const { keyId, count } = await changeSecretKey(config)
  const present = loadSecretKeys(config)
  assert.deepEqual([present.map(({ id }) => id), count], [[keyId], 1])
  const found = await onEmbedded(config, (embedded) =>
    findSecret(embedded, createSecretCipher(present), SCOPE, place),
  )
  assert.equal(found, 'open sesame')
})

async function onEmbedded<Result>(
  config: Config,
  work: (embedded: Db) => Promise<Result>,
): Promise<Result> {
  const served = await openServedDatabase(config, silentLog)
  try {
    const opened = createDatabase({ connection: served.connection, poolMax: 1, log: silentLog })
    try {
      return await inTenant(SCOPE, () => work(opened.kysely))
    } finally {
      await opened.close()
    }
  } finally {
    await served.stop()
  }
}

test('a data folder keeps its key through starts', async () => {
  const config = { ...configWith(createSecretKeyText()), secretKey: null, databaseUrl: null }
  await query(store.connection, 'delete from secret')
  await checkSecrets(config, store.connection, silentLog)
  const file = readFileSync(join(folder, 'secret.key'), 'utf8')
  await checkSecrets(config, store.connection, silentLog)
  assert.equal(readFileSync(join(folder, 'secret.key'), 'utf8'), file)
})
