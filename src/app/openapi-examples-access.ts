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
  must_enrol: false,
  csrf_token: 'dG9rZW4tb2YtdGhpcy1zZXNzaW9uLW9mLXRoaXMtcGFnZQ',
  created_at: TIME,
  expires_at: LATER,
}

const PROVIDER_URL = {
  url: 'https://id.example/authorize?client_id=casework&response_type=code&scope=openid',
}

const IDENTITY = {
  id: 'idn_0192f2a07b3c7d419c1e5a6b7c8d9e0f',
  provider: 'company',
  issuer: 'https://id.example',
  subject: '7c8d9e0f',
  email: 'ana@desk.example',
  created_at: TIME,
  last_used_at: TIME,
}

const NEEDED = { ways: ['totp', 'recovery_code'], expires_at: '2026-11-20T21:46:00.000Z' }

const PASSKEY = {
  id: 'pky_0192f2a07b3c7d419c1e5a6b7c8d9e0f',
  name: 'laptop',
  is_synced: false,
  created_at: TIME,
  last_used_at: null,
}

const CHALLENGE = 'Y2hhbGxlbmdlLW9mLXRoaXMtc2lnbi1pbi1nb29kLW9uY2U'

const REQUEST_OPTIONS = {
  options: {
    challenge: CHALLENGE,
    timeout: 300_000,
    rpId: 'casework.example.org',
    allowCredentials: [],
    userVerification: 'required',
  },
}

const FACTORS = {
  required: false,
  totp_since: TIME,
  passkeys: [PASSKEY],
  recovery_codes_left: 10,
  proof_ends_at: '2026-11-20T21:51:00.000Z',
}

const RECOVERY_CODES = [
  'mzxw6y-tboizw-kytpnr-2gc4dq',
  'onxw2z-lunbxg-k3tboj-2gk6dq',
  'orsxg5-bnmfxg-c3tfon-ugk4tf',
  'pf2gk4-rnmjxw-633tnr-qw42lo',
  'mfrgg3-dfnz2g-s3tfmu-qho2ld',
  'nbswy3-dpebzw-k3lfoj-2gk4dq',
  'oj2w45-djnzts-a3lfon-zwcz3f',
  'ovxgs5-dfmqqg-63tfmu-qho2ld',
  'pjrxm4-tboizw-kytpnr-2gc4lb',
  'nfxgg3-dvmrsx-gzlbon-2gk4dr',
]

export const ACCESS_EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  'GET /beta/session/sign-in-ways': {
    responses: {
      200: {
        password: { available: true, reason: null },
        passkeys: { available: true, reason: null },
        forgotten_password: { available: false, reason: 'This server sends no mail.' },
        providers: [],
      },
    },
  },
  'POST /beta/session': { responses: { 201: SESSION, 202: NEEDED } },
  'POST /beta/session/second-factor': { responses: { 201: SESSION } },
  'POST /beta/session/second-factor/options': { responses: { 200: REQUEST_OPTIONS } },
  'POST /beta/session/passkeys/options': { responses: { 200: REQUEST_OPTIONS } },
  'POST /beta/session/passkeys': { responses: { 201: SESSION } },
  'POST /beta/session/factors/passkeys/options': {
    responses: {
      200: {
        options: {
          rp: { id: 'casework.example.org', name: 'Casework' },
          user: {
            id: 'dXNyXzAxOTJmMmEwN2IzYzdkNDE5YzFlNWE2YjdjOGQ5ZTBm',
            name: 'ana@desk.example',
            displayName: 'Ana',
          },
          challenge: CHALLENGE,
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          timeout: 300_000,
          excludeCredentials: [],
          authenticatorSelection: {
            residentKey: 'required',
            requireResidentKey: true,
            userVerification: 'required',
          },
          attestation: 'none',
        },
      },
    },
  },
  'POST /beta/session/factors/passkeys': {
    responses: { 200: { ...FACTORS, recovery_codes: RECOVERY_CODES } },
  },
  'PATCH /beta/session/factors/passkeys/{passkeyId}': { responses: { 200: FACTORS } },
  'GET /beta/session/factors': { responses: { 200: FACTORS } },
  'POST /beta/session/proof': { responses: { 200: FACTORS } },
  'POST /beta/session/factors/totp': {
    responses: {
      200: {
        secret: 'MZXW6YTBOIZWKYTPNR2GC4DQMFRGG3DF',
        otpauth_uri:
          'otpauth://totp/Casework%20casework.example.org:ana%40desk.example?secret=MZXW6YTBOIZWKYTPNR2GC4DQMFRGG3DF&issuer=Casework%20casework.example.org&algorithm=SHA1&digits=6&period=30',
      },
    },
  },
  'POST /beta/session/factors/totp/confirm': {
    responses: { 200: { ...FACTORS, recovery_codes: RECOVERY_CODES } },
  },
  'POST /beta/session/factors/recovery-codes': {
    responses: { 200: { recovery_codes: RECOVERY_CODES } },
  },
  'GET /beta/admin/users/{userId}/factors': {
    responses: { 200: { totp_since: TIME, passkeys: 1, recovery_codes_left: 9 } },
  },
  'GET /beta/session': { responses: { 200: SESSION } },
  'PATCH /beta/session': { responses: { 200: SESSION } },
  'POST /beta/session/links': { responses: { 201: SESSION, 202: NEEDED } },
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
  'POST /beta/session/device': {
    responses: {
      200: {
        device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS7Q',
        user_code: 'WDJB-MJHT',
        verification_uri: 'https://casework.example/device',
        verification_uri_complete: 'https://casework.example/device#WDJB-MJHT',
        expires_in: 600,
        interval: 5,
      },
    },
  },
  'POST /beta/session/device/token': {
    responses: {
      200: {
        access_token: 'cw_api_0123456789abcdefghijklmnopqrstuvwxyz012345',
        token_type: 'Bearer',
        expires_in: 2_592_000,
        scope: 'intel:read events:read cases:read customers:read playbooks:read',
        token_id: 'tok_0192f2a07b3c7d419c1e5a6b7c8d9e0f',
        tenant_id: 'default',
      },
    },
  },
  'POST /beta/session/device/check': {
    responses: {
      200: {
        client_name: 'casework at desk-7',
        address: '192.0.2.10',
        scopes: ['intel:read', 'events:read', 'cases:read', 'customers:read', 'playbooks:read'],
        created_at: TIME,
        expires_at: LATER,
      },
    },
  },
  'POST /beta/session/providers/{providerId}/start': { responses: { 200: PROVIDER_URL } },
  'POST /beta/session/providers/{providerId}/link': { responses: { 200: PROVIDER_URL } },
  'GET /beta/session/identities': { responses: { 200: { items: [IDENTITY] } } },
  'GET /beta/admin/users/{userId}/identities': { responses: { 200: { items: [IDENTITY] } } },
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
