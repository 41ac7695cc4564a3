// Pages for people at paths that no route of the interface has.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from './answer-unchanged.ts'
import type { ConnectionGuard } from './connection-guard.ts'
import { readPath } from './request-meter.ts'
import { sliceBytes } from './slice-bytes.ts'

export interface PageRequest {
  readonly path: string
  readonly accept: string | undefined
  readonly acceptEncoding: string | undefined
}

export interface Page {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** Null where there is no page either: the request fails as one to an unknown path. */
export type FindPage = (request: PageRequest) => Promise<Page | null>

/** True when the request was answered. */
export async function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  findPage: FindPage,
  connections: Pick<ConnectionGuard, 'hold'>,
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const { accept, 'accept-encoding': encoding } = request.headers
  const acceptEncoding = Array.isArray(encoding) ? encoding.join(',') : encoding
  const path = readPath(request.raw.url)
  const page = await findPage({ path, accept, acceptEncoding })
  if (page === null) return false
  const { etag } = page.headers
  reply.headers(page.headers)
  if (etag !== undefined && matchesEtag(request.headers['if-none-match'], etag)) {
    reply.code(304).removeHeader('content-type')
    reply.send()
    return true
  }
  reply.code(200)
  if (request.method === 'HEAD') {
    reply.header('content-length', String(page.bytes.length)).send()
    return true
  }
  reply.send(sliceBytes(page.bytes, reply, request.raw.socket, connections))
  return true
}
