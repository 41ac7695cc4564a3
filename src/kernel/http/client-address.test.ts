// Proves whose request one is behind proxies: a client can never choose its own address.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { requireRange } from '../../values/range.ts'
import { type ClientAddressOptions, createClientAddresses } from './client-address.ts'

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'].map((text) => requireRange(text))

function read(
  peer: string,
  headers: Record<string, string>,
  options: Partial<ClientAddressOptions> = {},
): string {
  const addresses = createClientAddresses({
    proxies: PROXIES,
    header: 'x-forwarded-for',
    ...options,
  })
  // Only these two members are read.
  return addresses.read({ headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage)
}

const CLIENT = '192.0.2.7'

test('the peer is the client without trusted proxies, and when it is none of them', () => {
  const headers = { 'x-forwarded-for': CLIENT, forwarded: `for=${CLIENT}` }
  assert.equal(read('10.0.0.1', headers, { proxies: [] }), '10.0.0.1')
  assert.equal(read('198.51.100.1', headers), '198.51.100.1')
  assert.equal(read('', headers), '')
})

const FORWARDED_FOR: readonly [header: string, client: string][] = [
  [CLIENT, CLIENT],
  [`203.0.113.9, ${CLIENT}`, CLIENT],
  [`203.0.113.9, ${CLIENT}, 10.2.2.2`, CLIENT],
  [`${CLIENT}:4711`, CLIENT],
  ['2001:db8::5', '2001:db8::5'],
  ['[2001:db8::5]:443', '2001:db8::5'],
  [`${CLIENT}, 2001:db8:ffff::1`, CLIENT],
  // All of them proxies: the request began at the outermost one.
  ['10.9.9.9, 10.2.2.2', '10.9.9.9'],
  // What cannot be read is made up by the client, or hides it.
  [`${CLIENT}, unknown`, '10.0.0.1'],
  [`${CLIENT}, unknown, 10.2.2.2`, '10.2.2.2'],
  ['', '10.0.0.1'],
  [',,', '10.0.0.1'],
  ['host.example', '10.0.0.1'],
]

for (const [header, client] of FORWARDED_FOR) {
  test(`X-Forwarded-For "${header}" of a proxy names ${client}`, () => {
    assert.equal(read('10.0.0.1', { 'x-forwarded-for': header }), client)
    assert.equal(
      read('::ffff:10.0.0.1', { 'x-forwarded-for': header }).replace('::ffff:', ''),
      client,
    )
  })
}

const FORWARDED: readonly [header: string, client: string][] = [
  [`for=${CLIENT}`, CLIENT],
  [`For="${CLIENT}:47011";proto=https`, CLIENT],
  [`proto=https; for="[2001:db8::5]:443"`, '2001:db8::5'],
  [`for=203.0.113.9, for=${CLIENT};by=10.0.0.1`, CLIENT],
  [`for=${CLIENT}, for=10.2.2.2`, CLIENT],
  [`for="203.0.113.9, for=${CLIENT}"`, '10.0.0.1'],
  ['for=unknown', '10.0.0.1'],
  ['for=_hidden', '10.0.0.1'],
  ['proto=https', '10.0.0.1'],
]

for (const [header, client] of FORWARDED) {
  test(`Forwarded "${header}" of a proxy names ${client}`, () => {
    assert.equal(read('10.0.0.1', { forwarded: header }, { header: 'forwarded' }), client)
  })
}

test('the header that the proxies do not set is never read', () => {
  const headers = { 'x-forwarded-for': CLIENT, forwarded: 'for=203.0.113.1' }
  assert.equal(read('10.0.0.1', headers), CLIENT)
  assert.equal(read('10.0.0.1', headers, { header: 'forwarded' }), '203.0.113.1')
})

test('a header of a thousand hops is read from the right, and not to its end', () => {
  const header = [CLIENT, ...Array.from({ length: 1_000 }, () => '10.1.1.1')].join(', ')
  assert.equal(read('10.0.0.1', { 'x-forwarded-for': header }), '10.1.1.1')
})
