// GET /openapi.json: the OpenAPI document of the routes that this process serves.

import { Type } from 'typebox'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { buildOpenapi } from '../openapi.ts'

/** `listRoutes` is called at the first request only, since its table holds this route as well. */
export function getOpenapiRoute(listRoutes: () => readonly Route[]): Route {
  // One buffer for all responses, whatever the number of clients that read them slowly.
  let bytes: Buffer | undefined
  return defineRoute({
    method: 'GET',
    path: '/openapi.json',
    group: 'system',
    access: { kind: 'public' },
    operationId: 'getOpenapi',
    summary: 'Get the OpenAPI document',
    description: 'This document.',
    responses: {
      200: { description: 'The document.', schema: Type.Object({ openapi: Type.String() }) },
    },
    handle() {
      bytes ??= Buffer.from(JSON.stringify(buildOpenapi(listRoutes())))
      return { status: 200, bytes }
    },
  })
}
