import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPlainItem } from './plain-item.ts'

test('a plainly spelled item is read, also with encoded colons', () => {
  for (const [target, item] of [
    ['/things/192.0.2.1', '192.0.2.1'],
    ['/things/2001:db8::5', '2001:db8::5'],
    ['/things/2001%3Adb8%3a%3A5', '2001:db8::5'],
    ['/things/xn--bcher-kva.example', 'xn--bcher-kva.example'],
    [`/things/${'a'.repeat(253)}`, 'a'.repeat(253)],
  ] as const) {
    assert.equal(readPlainItem(target, '/things/'), item)
  }
})

test('every other target is null, so that Fastify decodes it', () => {
  for (const target of [
    undefined,
    '/things/a%20b',
    '/things/a?b=c',
    '/things/',
    '/things/a/b',
    '/things/%3',
    '/things/é',
    `/things/${'a'.repeat(254)}`,
    '/other/192.0.2.1',
    'http://h/things/192.0.2.1',
  ]) {
    assert.equal(readPlainItem(target, '/things/'), null, String(target))
  }
})
