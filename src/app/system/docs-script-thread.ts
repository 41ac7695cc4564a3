// The thread of docs-script.ts: asks the package for its script in the one way that it documents,
// as a plugin of a server.

import { promisify } from 'node:util'
import { parentPort } from 'node:worker_threads'
import { gzip } from 'node:zlib'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

const app = Fastify()
await app.register(reference, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const answer = await app.inject('/docs/js/scalar.js')
if (answer.statusCode !== 200) throw new Error(`the package answered ${answer.statusCode}`)
// A message port has no other origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await promisify(gzip)(answer.payload))
await app.close()
