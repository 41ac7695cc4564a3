// `casework privacy export` against a server with a long answer; what it finds is tested with
// `casework privacy erase`.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runCasework, serveStub } from '../../test/cli-kit.ts'

const ARGS = ['privacy', 'export', 'ana@example.org']
// The command would ask on; the stub says so by a failure.
const PARTS_MAX = 2_000

it('an export ends quietly when nobody reads on', async (t) => {
  let parts = 0
  const item = { table: 'event', text: 'x'.repeat(2_000) }
  const url = await serveStub(t, (request, response) => {
    parts += 1
    request.resume()
    response.statusCode = parts > PARTS_MAX ? 500 : 200
    response.end(JSON.stringify({ items: [item], next_cursor: 'next', unsearched_reports: [] }))
  })
  const { code, stderr } = await runCasework(t, ARGS, { url, token: 't', readBytesMax: 100 })
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
})

it('an export holds no control character of a stranger', async (t) => {
  const items = [{ table: 'event', text: 'a\u009b2Jb' }]
  const url = await serveStub(t, (request, response) => {
    request.resume()
    response.end(JSON.stringify({ items, next_cursor: '', unsearched_reports: ['r\u009b'] }))
  })
  const { code, stdout } = await runCasework(t, ARGS, { url, token: 't' })
  assert.equal(code, 0)
  assert.doesNotMatch(stdout, /\u009b/)
  assert.deepEqual(JSON.parse(stdout), {
    address: 'ana@example.org',
    items,
    count: 1,
    unsearched_reports: ['r\u009b'],
  })
})
