// A session or a link that was ended after a backup does not come back with its restore: people
// sign in anew, and are invited anew.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildTestConfig, type TestRequest, withApp } from '../../../test/harness.ts'
import { createPerson, invite, PASSWORD } from '../../../test/people-kit.ts'
import { createEmptyDatabase } from '../../../test/query.ts'
import { readMigrations } from '../../kernel/db/migrate.ts'
import { silentLog } from '../../kernel/log.ts'
import { compose } from '../compose.ts'
import { buildHttp, createHttpParts } from '../http.ts'
import { MIGRATIONS_FOLDER } from '../migrations-folder.ts'
import { buildRoutes } from '../routes.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const app = withApp()

test('401 for every session of the backup after its restore, 404 for every link, and the password still signs in', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-ended-'))
  const person = await createPerson(app, app.token, { roles: ['lead'] })
  const invited = await invite(app, app.token)
  const reset = await app.send('POST', `/beta/admin/users/${person.id}/links`, { token: app.token })
  assert.equal(reset.status, 201, reset.text)
  assert.equal((await person.browser.send('GET', '/beta/session')).status, 200)

  const file = join(folder, 'backup')
  const { signal } = new AbortController()
  await writeBackup({ connection: app.connection, place: 'here', file, signal })
  const connection = await createEmptyDatabase(t)
  const migrations = readMigrations(MIGRATIONS_FOLDER)
  await restoreBackup({ connection, place: 'there', file, migrations })

  const config = buildTestConfig({ CASEWORK_DATA_DIR: folder })
  const services = await compose({ config, connection, log: silentLog })
  const routes = buildRoutes(services)
  const copy = buildHttp(services, { routes, parts: createHttpParts(services) })
  t.after(async () => {
    await copy.close()
    await services.close()
    rmSync(folder, { recursive: true })
  })
  const send = async (method: 'GET' | 'POST', url: string, { headers, json }: TestRequest) => {
    const type = json === undefined ? {} : { 'content-type': 'application/json' }
    const payload = json === undefined ? {} : { payload: JSON.stringify(json) }
    return await copy.inject({ method, url, headers: { ...headers, ...type }, ...payload })
  }
  const { cookie } = person.browser
  assert.equal((await send('GET', '/beta/casework/cases', { headers: { cookie } })).statusCode, 401)
  for (const link of [invited.link, reset.json().link]) {
    const checked = await send('POST', '/beta/session/links/check', { json: { link } })
    assert.equal(checked.statusCode, 404, checked.body)
    const redeemed = await send('POST', '/beta/session/links', {
      json: { link, password: 'nine green bottles' },
    })
    assert.equal(redeemed.statusCode, 404, redeemed.body)
  }
  const json = { email: person.email, password: PASSWORD }
  assert.equal((await send('POST', '/beta/session', { json })).statusCode, 201)
  // The original goes on: the restore has touched the copy alone.
  assert.equal((await person.browser.send('GET', '/beta/session')).status, 200)
})
