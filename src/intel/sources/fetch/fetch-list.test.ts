import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemClock } from '../../../kernel/clock.ts'
import { silentLog } from '../../../kernel/log.ts'
import { createOutbound } from '../../../kernel/outbound/outbound.ts'
import { fetchList } from './fetch-list.ts'

it('names the host whose DNS lookup failed', async () => {
  // No resolver listens there.
  const dnsServers = ['127.0.0.1:1']
  const outbound = createOutbound({ allow: [], dnsServers, log: silentLog, clock: systemClock })
  const address = { url: 'https://lists.example.org/drop.txt', etag: null, lastModified: null }
  const fetched = await fetchList(outbound, address, new AbortController().signal)
  assert.equal(fetched.kind, 'failed')
  assert.match(fetched.trouble, /^lists\.example\.org: .*DNS lookup failed/)
})
