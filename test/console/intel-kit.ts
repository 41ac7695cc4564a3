// What is known of some items, for the tests of the look-up pages.

import assert from 'node:assert/strict'
import type { ConsoleKit } from './console-kit.ts'

/** Pushes rows; all of them must be accepted. */
export async function pushIntel(
  { app }: ConsoleKit,
  path: 'sightings' | 'listings' | 'allowances' | 'taggings',
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const answer = await app.send('POST', `/beta/${path}`, { token: app.token, json: rows })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.json().result.rejected, [])
}

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

/** An address that honeypots saw, with a listing of its range. */
export async function pushAttacker(
  kit: ConsoleKit,
  address: string,
  more: { readonly reason?: string; readonly count?: number } = {},
): Promise<void> {
  await pushIntel(
    kit,
    'sightings',
    ['hp-1', 'hp-2', 'hp-3'].map((source) => ({
      item: address,
      kind: 'honeypot',
      service: 'ssh',
      type: 'login-attack',
      source,
      count: more.count ?? 7,
      firstSeen: daysAgo(3),
      lastSeen: daysAgo(0.1),
    })),
  )
  await pushIntel(kit, 'listings', [
    {
      item: address.replace(/\d+$/, '0/24'),
      list: 'example-dnsbl',
      source: 'example-dnsbl',
      reason: more.reason ?? 'Attacks by SSH.',
    },
  ])
}
