// OpenID Connect providers on loopback for tests: a real one (oidc-provider), and one that lies on
// demand, for answers that no real provider gives.

import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Provider, type RequestContext } from 'oidc-provider'
import { listenOnLoopback } from './loopback.ts'

export const CLIENT_ID = 'casework'
export const CLIENT_SECRET = 'a secret of the two canary7e41b0'

export interface LocalProvider {
  readonly issuer: string
  /** The account that signs in at the provider next. */
  account: string
  readonly close: () => Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function open(build: (issuer: string) => Handler): Promise<[string, () => Promise<void>]> {
  let handler: Handler | undefined
  const server = createServer((request, response) => handler?.(request, response))
  const issuer = `http://127.0.0.1:${await listenOnLoopback(server)}`
  handler = build(issuer)
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return [issuer, close]
}

/** Accounts: `ana` is `ana@desk.example`, in the group desk; the address is verified. */
export async function openRealProvider(redirectUri: string): Promise<LocalProvider> {
  const made = { account: 'ana' }
  const [issuer, close] = await open((own) => {
    const provider = new Provider(own, describeProvider(redirectUri))
    const answer = provider.callback()
    return (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) void answer(request, response)
      else {
        const login = { accountId: made.account }
        void provider.interactionFinished(request, response, { login })
      }
    }
  })
  return Object.assign(made, { issuer, close })
}

function describeProvider(redirectUri: string): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: [randomUUID()] },
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'a' }],
    },
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        groups: ['desk'],
        email: `${accountId}@desk.example`,
        email_verified: true,
        name: `Name of ${accountId}`,
      }),
    }),
    // Nobody is asked to consent.
    async loadExistingGrant({ oidc }: RequestContext) {
      const { client, session, provider } = oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  }
}

export interface LyingProvider extends LocalProvider {
  /** Claims that replace the right ones in the next ID tokens. */
  claims: Record<string, unknown>
  /** Signs with a new key from now on; with `isPublished` false its list of keys lacks that key. */
  readonly changeKey: (isPublished?: boolean) => void
  /** The status of its next answers to requests for metadata and tokens; null for right answers. */
  status: number | null
}

/** As a real one, each of its codes is good once, and it checks PKCE. */
export async function openLyingProvider(): Promise<LyingProvider> {
  let key = makeKey()
  let published = key
  const codes = new Map<string, URLSearchParams>()
  const made = {
    account: 'ana',
    claims: {} as Record<string, unknown>,
    status: null as number | null,
    changeKey(isPublished = true) {
      key = makeKey()
      if (isPublished) published = key
    },
  }
  const [issuer, close] = await open((own) => async (request, response) => {
    const url = new URL(request.url ?? '', own)
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      codes.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
      return
    }
    if (made.status !== null) {
      response.writeHead(made.status).end()
      return
    }
    if (url.pathname === '/keys') send(response, 200, { keys: [published.jwk] })
    else if (url.pathname === '/token') {
      const given = new URLSearchParams(await readText(request))
      const asked = takeCode(codes, given)
      if (asked === null) send(response, 400, { error: 'invalid_grant' })
      else {
        const seconds = Math.floor(Date.now() / 1_000)
        const claims = {
          iss: own,
          aud: CLIENT_ID,
          sub: made.account,
          email: `${made.account}@lie.example`,
          nonce: asked.get('nonce'),
          iat: seconds,
          exp: seconds + 60,
          ...made.claims,
        }
        const tokens = { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60 }
        send(response, 200, { ...tokens, id_token: signToken(key, claims) })
      }
    } else send(response, 200, describeLiar(own))
  })
  return Object.assign(made, { issuer, close })
}

function takeCode(codes: Map<string, URLSearchParams>, given: URLSearchParams) {
  const code = given.get('code') ?? ''
  const asked = codes.get(code) ?? null
  codes.delete(code)
  const challenge = createHash('sha256')
    .update(given.get('code_verifier') ?? '')
    .digest('base64url')
  return asked?.get('code_challenge') === challenge ? asked : null
}

const describeLiar = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

interface Key {
  readonly id: string
  readonly privateKey: KeyObject
  readonly jwk: object
}

function makeKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const id = randomUUID()
  const jwk = { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: id }
  return { id, privateKey, jwk }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function signToken({ id, privateKey }: Key, claims: object): string {
  const text = `${encode({ alg: 'RS256', typ: 'JWT', kid: id })}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const HOPS_MAX = 10

/** Follows the redirects of the provider as a browser does; the first address of another site. */
export async function visitProvider(start: string): Promise<URL> {
  const { origin } = new URL(start)
  const jar = new Map<string, string>()
  let url = new URL(start)
  for (let hop = 0; hop < HOPS_MAX && url.origin === origin; hop += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) {
      throw new Error(`${url.href} answered ${answer.status}: ${await answer.text()}`)
    }
    url = new URL(location, url)
  }
  return url
}
