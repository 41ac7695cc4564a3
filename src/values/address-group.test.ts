// Proves whose limit an address counts against.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupAddress } from './address-group.ts'

test('an IPv4 address counts for itself, also where a socket maps it into IPv6', () => {
  assert.equal(groupAddress('192.0.2.1'), '192.0.2.1')
  assert.equal(groupAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.notEqual(groupAddress('192.0.2.2'), groupAddress('192.0.2.1'))
})

test('an IPv6 address counts for its /64, however it is spelled', () => {
  const one = groupAddress('2001:db8:0:1::1')
  assert.equal(groupAddress('2001:DB8::1:ffff:ffff:ffff:ffff'), one)
  assert.equal(groupAddress('2001:db8:0:1:a::%eth0'), one)
  assert.notEqual(groupAddress('2001:db8:0:2::1'), one)
  assert.notEqual(groupAddress('2001:db8:1:1::1'), one)
})

test('text that is no address counts for itself', () => {
  assert.equal(groupAddress(''), '')
  assert.equal(groupAddress('a:b'), 'a:b')
})
