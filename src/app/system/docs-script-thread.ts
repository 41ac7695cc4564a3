// The thread of docs-script.ts: gets the script from the package in its only documented way, as a
// plugin of a server.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { serveThread } from '../../kernel/async/serve-thread.ts'

serveThread<null, Uint8Array>(async () => ({ reply: await unpackScript() }))

async function unpackScript(): Promise<Uint8Array> {
  const app = Fastify()
  await app.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const answer = await app.inject('/docs/js/scalar.js')
  if (answer.statusCode !== 200) throw new Error(`the package answered ${answer.statusCode}`)
  await app.close()
  return await promisify(gzip)(answer.payload)
}
