// The removal of a demo that is not whole: its filling has failed, or others use a part of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { DESK_TAG } from './demo-intel.ts'
import { beginFilling, hasDemo, makeDemoTenants, recordMade, TENANT_IDS } from './demo-store.ts'
import { fillDemo } from './fill-demo.ts'
import { removeDemo } from './remove-demo.ts'

const app = withApp()
const TAG = `/beta/tags/${DESK_TAG}`

/** As a filling leaves it that fails before the first source and tag. */
async function beginDemo(): Promise<void> {
  const { config, database } = app.services.foundation
  assert.ok(await makeDemoTenants(config, app.connection))
  await recordMade(database.kysely, 'source', ['tag-list/demo-desk'])
  await recordMade(database.kysely, 'tag', [DESK_TAG])
}

async function remove(): Promise<readonly string[]> {
  const { config } = app.services.foundation
  return await removeDemo({ config, connection: app.connection })
}

test('a demo whose sources and tags were never made, or are gone, is removed', async () => {
  await beginDemo()
  assert.deepEqual(await remove(), TENANT_IDS)
})

test('what a killed filling has left is removed by the next one, and no two fill at once', async () => {
  const { config } = app.services.foundation
  const options = { config, connection: app.connection }
  const killed = await beginFilling(app.connection)
  assert.ok(killed !== null)
  await beginDemo()
  assert.equal(await hasDemo(app.connection), true, 'it is being filled')
  await assert.rejects(fillDemo(options), { code: 'APP_DEMO_IS_THERE' })
  await killed.end('broken')
  assert.equal(await hasDemo(app.connection), false)
  const counts = await fillDemo(options)
  assert.ok(counts.cases > 0)
  assert.equal(await hasDemo(app.connection), true)
  await assert.rejects(fillDemo(options), { code: 'APP_DEMO_IS_THERE' })
  assert.equal(await hasDemo(app.connection), true, 'a refused filling changes nothing')
  assert.deepEqual(await remove(), TENANT_IDS)
})

test('a tag of the demo that others use by now stays, and the demo goes', async () => {
  const { token } = app
  const tag = { intent: 'suspicious', category: 'activity', description: 'x', references: [] }
  const made = await app.send('PUT', TAG, { token, json: { ...tag, timeline: [] } })
  assert.ok(made.status < 300, made.text)
  const json = [{ item: '192.0.2.1', tag: DESK_TAG, source: 'own' }]
  const pushed = await app.send('POST', '/beta/taggings', { token, json })
  assert.equal(pushed.json().result.accepted, 1, pushed.text)
  await beginDemo()
  assert.deepEqual(await remove(), TENANT_IDS)
  assert.equal((await app.send('GET', TAG, { token })).status, 200)
})
