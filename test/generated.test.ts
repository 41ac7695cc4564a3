// Proves that the files made from the source are those in the project.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listGeneratedFiles } from '../scripts/generate/list-generated-files.ts'
import { readSchema } from '../scripts/generate/read-schema.ts'
import { buildRoutes } from '../src/app/routes.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { openTestApp, type TestApp } from './harness.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

test('no file that is made from the source differs from it; "npm run write" makes them anew', async () => {
  const schema = await readSchema(app.services.foundation.database.pool)
  const files = listGeneratedFiles(buildRoutes(app.services), schema)
  assert.equal(files.length, 12)
  for (const { path, text } of files) {
    const present = await readFile(join(findPackageRoot(), path), 'utf8')
    assert(present === text, `${path} differs: run "npm run write"`)
  }
})
