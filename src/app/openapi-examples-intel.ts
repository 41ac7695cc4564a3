// Examples of the additions to threat intelligence; see openapi-examples.ts.

import type { OperationExamples } from './openapi-examples.ts'

export const INTEL_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  'GET /beta/tags/{name}/ips': {
    responses: {
      200: {
        status: 'success',
        statusCode: 200,
        result: {
          tag: 'ssh-bruteforce',
          entries: ['192.0.2.1', '198.51.100.0/24', '2001:db8::1'],
          lastUpdate: '2026-11-20T21:40:12.000Z',
          total: 3,
          snapshot: '4711.12',
        },
      },
    },
  },
}
