// Compares the metrics that the program exposes with the table of docs/guides/operate.md, and with
// every other page that names one.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withApp } from './harness.ts'
import { listFiles, listSources, readText } from './source-files.ts'

// A role of the database, not a metric.
const PROGRAM_ROLE = 'casework_program'
const PAGE = 'docs/guides/operate.md'

const app = withApp()

describe('metrics', () => {
  const inSource = listSources().flatMap((file) => findMetricNames(readText(file)))

  test('that the program exposes stand in the table of the guide, and no others', () => {
    assert.ok(inSource.length > 30, `only ${inSource.length} metrics were seen in the source`)
    assert.deepEqual(listRows(readText(PAGE)), inSource.toSorted())
  })

  test('of a running service are among those of the source', async () => {
    const { text } = await app.send('GET', '/metrics')
    const exposed = [...text.matchAll(/^# TYPE (casework_\S+) /gm)].map(([, name]) => name)
    assert.ok(exposed.length > 20, `only ${exposed.length} metrics were exposed`)
    assert.deepEqual(
      exposed.filter((name = '') => !inSource.includes(name)),
      [],
    )
  })

  test('that any page names are there', () => {
    const pages = listFiles().filter((file) => /^(docs\/.*|README)\.md$/.test(file))
    const named = pages.flatMap((file) =>
      [...readText(file).matchAll(/`(casework_[a-z0-9_]+)`/g)].map(([, name = '']) => name),
    )
    assert.ok(named.length > inSource.length, `only ${named.length} names were seen`)
    assert.deepEqual(
      named.filter((name) => !inSource.includes(name) && name !== PROGRAM_ROLE),
      [],
    )
  })

  test('are guarded: a name is found in code and in a row', () => {
    const code = "new Counter({ name: 'casework_a_total' })\nconst B_NAME = 'casework_b_seconds'\n"
    assert.deepEqual(findMetricNames(code), ['casework_a_total', 'casework_b_seconds'])
    const page =
      '| Metric | Meaning |\n| --- | --- |\n| `casework_b`, by `kind` | … |\n`casework_c`'
    assert.deepEqual(listRows(page), ['casework_b'])
  })
})

function findMetricNames(text: string): string[] {
  return [...text.matchAll(/\b(?:name:|[A-Z]+_NAME =) '(casework_[a-z0-9_]+)'/g)].map(
    ([, name = '']) => name,
  )
}

/** The metrics that begin a row of a table. */
function listRows(page: string): string[] {
  return [...page.matchAll(/^\| `(casework_[a-z0-9_]+)`/gm)].map(([, name = '']) => name).toSorted()
}
