// The files that are made from the source: npm run write writes them, and a test fails when one
// differs.

import { buildOpenapi } from '../../src/app/openapi.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import { buildAnswerFields } from './build-answer-fields.ts'
import { buildApiPage } from './build-api-page.ts'
import { buildClientSchema } from './build-client-schema.ts'
import { buildKeyedPaths } from './build-keyed-paths.ts'
import { buildNodeKindsPage } from './build-node-kinds-page.ts'
import { buildOperations } from './build-operations.ts'
import { buildRolesPage } from './build-roles-page.ts'
import { buildSchemaFile } from './build-schema-file.ts'
import { buildEnvironmentExample, buildSettingsPage } from './build-settings.ts'
import { buildTables } from './build-tables.ts'
import type { Schema } from './read-schema.ts'

export interface GeneratedFile {
  /** From the root of the project. */
  readonly path: string
  readonly text: string
}

export function listGeneratedFiles(
  routes: readonly Route[],
  schema: Schema,
): readonly GeneratedFile[] {
  const document = buildOpenapi(routes)
  return [
    { path: 'openapi/beta.json', text: `${JSON.stringify(document, null, 2)}\n` },
    { path: 'src/client/schema.ts', text: buildClientSchema(document) },
    { path: 'src/client/keyed-paths.ts', text: buildKeyedPaths(routes) },
    { path: 'test/answer-fields.ts', text: buildAnswerFields(document) },
    { path: 'resources/operations.json', text: buildOperations(document) },
    { path: 'docs/reference/api.md', text: buildApiPage(routes) },
    { path: 'docs/reference/settings.md', text: buildSettingsPage() },
    { path: 'docs/reference/roles.md', text: buildRolesPage(routes) },
    { path: 'docs/reference/node-kinds.md', text: buildNodeKindsPage() },
    { path: 'migrations/schema.sql', text: buildSchemaFile(schema) },
    { path: 'src/kernel/db/tables.ts', text: buildTables(schema) },
    { path: '.env.example', text: buildEnvironmentExample() },
  ]
}
