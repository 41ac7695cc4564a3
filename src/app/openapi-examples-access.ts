// Examples of sign-in and sessions: a recording has neither a link that is good nor a cookie.

import type { OperationExamples } from './openapi-examples.ts'

const TIME = '2026-11-20T21:41:00.000Z'
const LATER = '2026-11-23T21:41:00.000Z'

const SESSION = {
  id: 'ses_0192f2a07b3c7d419c1e5a6b7c8d9e0f',
  user: {
    id: 'usr_0192f2a07b3c7d419c1e5a6b7c8d9e0f',
    name: 'Ana',
    email: 'ana@desk.example',
  },
  tenant_id: 'default',
  scopes: ['intel:read', 'events:read', 'cases:read', 'customers:read', 'playbooks:read'],
  tenants: [{ tenant_id: 'default', roles: ['viewer'] }],
  csrf_token: 'dG9rZW4tb2YtdGhpcy1zZXNzaW9uLW9mLXRoaXMtcGFnZQ',
  created_at: TIME,
  expires_at: LATER,
}

export const ACCESS_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  'POST /beta/session': { responses: { 201: SESSION } },
  'GET /beta/session': { responses: { 200: SESSION } },
  'PATCH /beta/session': { responses: { 200: SESSION } },
  'POST /beta/session/links': { responses: { 201: SESSION } },
  'POST /beta/session/links/check': {
    responses: {
      200: {
        kind: 'invitation',
        email: 'ana@desk.example',
        name: 'Ana',
        tenant_id: 'default',
        has_password: false,
        expires_at: LATER,
      },
    },
  },
  'GET /beta/sessions': {
    responses: {
      200: {
        items: [
          {
            id: SESSION.id,
            tenant_id: 'default',
            methods: ['password'],
            is_current: true,
            address: '192.0.2.10',
            user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
            created_at: TIME,
            last_used_at: TIME,
            expires_at: LATER,
          },
        ],
      },
    },
  },
}
