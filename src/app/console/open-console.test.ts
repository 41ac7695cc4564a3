// Proves how the built console is served: its addresses, its caching, its policy, and that no
// address of the interface becomes a page.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { withApp } from '../../../test/harness.ts'
import { createConsolePages, NONCE_MARK, openConsole } from './open-console.ts'

const SCRIPT = `document.title = ${JSON.stringify('x'.repeat(200_000))}`

const folder = mkdtempSync(join(tmpdir(), 'casework-console-'))
after(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), `<meta nonce="${NONCE_MARK}"><div id="root"></div>`)
writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
writeFileSync(join(folder, 'assets', 'index-AbC1.js'), SCRIPT)
writeFileSync(join(folder, 'assets', 'index-AbC1.js.gz'), gzipSync(SCRIPT))

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the console on the main listener', () => {
  const app = withApp({ findPage: createConsolePages(folder) })

  for (const path of ['/', '/sign-in', '/lookup/198.51.100.7', '/cases?state=NEW', '/betamax']) {
    test(`200 with the page for a browser at ${path}`, async () => {
      const { status, headers, text } = await app.send('GET', path, { headers: HTML })
      assert.equal(status, 200)
      assert.match(text, /<div id="root">/)
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    })
  }

  test('the page has a strict policy with a nonce of its own for styles', async () => {
    const seen = new Set<string>()
    for (const _ of [1, 2]) {
      const { headers, text } = await app.send('GET', '/', { headers: HTML })
      const policy = String(headers['content-security-policy'])
      const nonce = /style-src 'self' 'nonce-([\w+/=]+)'/.exec(policy)?.[1] ?? ''
      assert.match(policy, /default-src 'none'; script-src 'self';/)
      assert.doesNotMatch(policy, /unsafe|\*/)
      assert.ok(text.includes(`nonce="${nonce}"`), text)
      seen.add(nonce)
    }
    assert.equal(seen.size, 2)
  })

  test('HEAD gets the same headers without the page', async () => {
    const { status, headers, text } = await app.send('HEAD', '/')
    assert.deepEqual([status, text], [200, ''])
    assert.ok(Number(headers['content-length']) > 0)
  })

  test('a program at an unknown address gets 404 as before, and so does every wrong method', async () => {
    assert.equal((await app.send('GET', '/nothing')).status, 404)
    assert.equal((await app.send('POST', '/sign-in', { headers: HTML })).status, 404)
    assert.equal((await app.send('POST', '/', { headers: HTML })).status, 404)
  })

  for (const path of ['/beta', '/beta/nothing', '/beta/casework/nothing', '/docs/nothing']) {
    test(`404 in the form of the interface at ${path}, for browsers too`, async () => {
      const { status, headers } = await app.send('GET', path, { headers: HTML })
      assert.equal(status, 404)
      assert.doesNotMatch(String(headers['content-type']), /html/)
    })
  }

  test('405 stays 405 for an address of the interface', async () => {
    assert.equal((await app.send('DELETE', '/livez', { headers: HTML })).status, 405)
    assert.equal((await app.send('GET', '/livez', { headers: HTML })).status, 200)
  })

  test('an asset is kept for good, compressed when the browser takes it, and 304 by its ETag', async () => {
    const path = '/assets/index-AbC1.js'
    const plain = await app.send('GET', path)
    assert.equal(plain.text, SCRIPT)
    assert.match(String(plain.headers['cache-control']), /max-age=31536000, immutable/)
    assert.equal(plain.headers['vary'], 'accept-encoding')
    const packed = await app.app.inject({
      method: 'GET',
      url: path,
      headers: { 'accept-encoding': 'gzip, deflate' },
    })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(packed.rawPayload).toString(), SCRIPT)
    const etag = String(plain.headers['etag'])
    assert.notEqual(packed.headers['etag'], etag)
    const again = await app.send('GET', path, { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''])
    const refused = await app.send('GET', path, { headers: { 'accept-encoding': 'gzip;q=0' } })
    assert.equal(refused.headers['content-encoding'], undefined)
  })

  for (const path of [
    '/assets/other.js',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/index-AbC1.js.gz',
    '/index.html',
    `/assets/${'a'.repeat(300)}.js`,
  ]) {
    test(`404 for ${path.slice(0, 40)}`, async () => {
      assert.equal((await app.send('GET', path)).status, 404)
    })
  }
})

test('without a build, the page says how to get one', async () => {
  const page = await createConsolePages(join(folder, 'nowhere'))({
    path: '/',
    accept: undefined,
    acceptEncoding: undefined,
  })
  assert.match(String(page?.bytes), /npm run build/)
})

test('CASEWORK_CONSOLE=off serves no page', () => {
  assert.deepEqual(openConsole({ console: 'off' }), {})
})
