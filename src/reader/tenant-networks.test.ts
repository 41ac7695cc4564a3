import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TenantNetworks } from './tenant-networks.ts'

const own = new TenantNetworks([
  '192.0.2.0/25',
  '198.51.100.7',
  '203.0.113.4-203.0.113.9',
  '2001:db8:1::/48',
  'customer.example',
  'no network at all',
])

test('an address of a range, a span or alone is the tenant’s own', () => {
  for (const ip of ['192.0.2.127', '198.51.100.7', '203.0.113.9', '2001:db8:1:2::3']) {
    assert.ok(own.hasAddress(ip), ip)
  }
  for (const ip of [
    '192.0.2.128',
    '198.51.100.8',
    '203.0.113.10',
    '2001:db8:2::1',
    'customer.example',
  ]) {
    assert.ok(!own.hasAddress(ip), ip)
  }
})

test('a domain holds all names below it', () => {
  assert.ok(own.hasHost('customer.example'))
  assert.ok(own.hasHost('www.shop.customer.example'))
  assert.ok(!own.hasHost('customer.example.test'))
  assert.ok(!own.hasHost('other.example'))
})

test('without a list nothing is the tenant’s own', () => {
  assert.ok(!new TenantNetworks([]).hasAddress('192.0.2.1'))
  assert.ok(!new TenantNetworks([]).hasHost('customer.example'))
})
