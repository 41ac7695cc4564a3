// Builds the OpenAPI 3.1 document from the route table: the schemas that validate requests are the
// ones that are documented. Committed as openapi/beta.json (npm run write) and served at GET
// /openapi.json.

import type { TSchema } from 'typebox'
import { buildPlaybookSchemas } from '../casework/playbooks/documents/node-schemas.ts'
import type { Route } from '../kernel/http/route.ts'
import { FailureEnvelope } from '../vocabulary/envelope-wire.ts'
import { Problem } from '../vocabulary/problem-wire.ts'
import { describeMembers, describeSchemas } from './describe-members.ts'
import { buildOperation, COMMON_PARAMETERS, presentCommonFailures } from './openapi-operation.ts'
import { liftSchemas, presentSchema } from './openapi-schema.ts'
import { listTags } from './openapi-tags.ts'

/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>

const DESCRIPTION = `Threat intelligence and abuse case operations behind one interface.

**Failures.** The threat-intelligence group answers every failure in its envelope, \`{status, statusCode, errors: {$}}\`. The endpoints that list or read cases and events and the trigger answer failures without a body; send \`Accept: application/problem+json\` to be told what was wrong. Every failure has its code in the header \`casework-problem\`. All other endpoints answer \`application/problem+json\` (RFC 9457) with a stable \`code\`.

**Requests.** Every answer has an \`X-Request-Id\`; send one of 8 to 128 characters of \`A-Z a-z 0-9 . _ -\` to have it kept. Bodies are JSON in UTF-8; no value is converted: where a string is required, a number is refused.`

/**
 * The document of these routes. Throws when two of them share an operation id: a generated client
 * would have two functions of one name.
 */
export function buildOpenapi(routes: readonly Route[]): Json {
  assertDistinct(routes.map((route) => route.operationId))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    Object.assign(paths[route.path] ?? {}, {
      [route.method.toLowerCase()]: buildOperation(route),
    })
  }
  const lifted = liftSchemas(paths)
  // No operation writes these out: they are referred to by name.
  const failures = liftSchemas([FailureEnvelope, Problem].map(presentSchema))
  const playbooks = presentAll(buildPlaybookSchemas('#/components/schemas'))
  const schemas = { ...lifted.schemas, ...failures.schemas, ...playbooks }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Casework',
      version: 'beta',
      summary: 'Threat intelligence and abuse case operations',
      description: DESCRIPTION,
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that gave this document.' }],
    tags: listTags(routes),
    paths: describeMembers(lifted.value, schemas),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token. `x-scopes` of an operation lists the sets of scopes, each of which opens it.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The same API token, in the threat-intelligence group only.',
        },
      },
      schemas: sortByName(describeSchemas(schemas)),
      parameters: COMMON_PARAMETERS,
      responses: presentCommonFailures(),
      headers: {
        WwwAuthenticate: {
          description: 'Which credential is missing or why it is refused (RFC 6750).',
          schema: { type: 'string' },
        },
        RetryAfter: {
          description: 'Seconds to wait before the next try.',
          schema: { type: 'integer' },
        },
        CaseworkProblem: {
          description:
            'The stable code of the failure, and the first place that is wrong: `CODE` or `CODE; field=/limit`. The code is listed in docs/reference/errors.md.',
          schema: { type: 'string' },
        },
      },
    },
  }
}

function presentAll(schemas: Readonly<Record<string, TSchema>>): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, presentSchema(schema)]),
  )
}

function sortByName(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

function assertDistinct(operationIds: readonly string[]): void {
  const twice = operationIds.find((id, index) => operationIds.indexOf(id) !== index)
  if (twice !== undefined) throw new Error(`two routes have the operation id ${twice}`)
}
