// npm run write: makes the files anew that are made from the source; list-generated-files.ts names
// them. The route table stands on opened services, so the program is composed on the database of
// the tests, which takes a few seconds and leaves nothing behind.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildRoutes } from '../src/app/routes.ts'
import { findPackageRoot } from '../src/values/resources.ts'
import { openTestApp } from '../test/harness.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'
import { listGeneratedFiles } from './generate/list-generated-files.ts'
import { readSchema } from './generate/read-schema.ts'

await globalSetup()
try {
  const app = await openTestApp()
  try {
    const schema = await readSchema(app.services.foundation.database.pool)
    for (const { path, text } of listGeneratedFiles(buildRoutes(app.services), schema)) {
      const target = join(findPackageRoot(), path)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, text)
      console.log(path)
    }
  } finally {
    await app.close()
  }
} finally {
  await globalTeardown()
}
