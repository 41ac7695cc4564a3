// People in tests: invited, signed in, and requests by cookie as a browser sends them.

import assert from 'node:assert/strict'
import { computeTotpCode } from '../src/access/factors/totp.ts'
import type { TestAnswer, TestApp, TestRequest } from './harness.ts'

export const PASSWORD = 'seven green bottles'

/** What a browser keeps after a sign-in. */
export interface Browser {
  readonly cookie: string
  readonly csrfToken: string
  readonly session: any // oxlint-disable-line typescript/no-explicit-any -- a test reads what came
  /** With the cookie, and with the CSRF token where something changes. */
  readonly send: (method: string, path: string, request?: TestRequest) => Promise<TestAnswer>
}

/** The cookies of an answer as the next request sends them. */
export function readSetCookies({ headers }: TestAnswer): string {
  const set = [headers['set-cookie'] ?? []].flat() as string[]
  return set.map((one) => one.split(';')[0]).join('; ')
}

export function openBrowser(app: TestApp, answer: TestAnswer): Browser {
  assert.equal(answer.status, 201, answer.text)
  const session = answer.json()
  const cookie = readSetCookies(answer)
  const csrfToken = session.csrf_token
  return {
    cookie,
    csrfToken,
    session,
    send(method, path, request = {}) {
      const headers = {
        cookie,
        ...(method === 'GET' ? {} : { 'casework-csrf': csrfToken }),
        ...request.headers,
      }
      return app.send(method, path, { ...request, headers })
    },
  }
}

let count = 0

export interface InvitedPerson {
  readonly id: string
  readonly email: string
  readonly link: string
}

/** Invites a person by a token that may. */
export async function invite(
  app: TestApp,
  token: string,
  options: { roles?: readonly string[]; tenantId?: string; email?: string } = {},
): Promise<InvitedPerson> {
  count += 1
  const { roles = ['agent'], tenantId, email = `person${count}@desk.example` } = options
  const json = { email, name: `Person ${count}`, roles, tenant_id: tenantId }
  const answer = await app.send('POST', '/beta/admin/users', { token, json })
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.json().id, email, link: answer.json().link }
}

/** An invited person who has accepted and is signed in. */
export async function createPerson(
  app: TestApp,
  token: string,
  options: Parameters<typeof invite>[2] = {},
): Promise<InvitedPerson & { readonly browser: Browser }> {
  const person = await invite(app, token, options)
  const json = { link: person.link, password: PASSWORD }
  const answer = await app.send('POST', '/beta/session/links', { json })
  return { ...person, browser: openBrowser(app, answer) }
}

export function signIn(
  app: TestApp,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return app.send('POST', '/beta/session', { json: { email, password }, headers })
}

/** A person with a confirmed authenticator app. `readCode` gives its code of a moment. */
export async function createPersonWithApp(app: TestApp, token: string, nowMs: () => number) {
  const person = await createPerson(app, token)
  const enrolled = await person.browser.send('POST', '/beta/session/factors/totp')
  assert.equal(enrolled.status, 200, enrolled.text)
  const readCode = buildAuthenticator(enrolled.json().secret)
  const json = { code: readCode(nowMs()) }
  const confirmed = await person.browser.send('POST', '/beta/session/factors/totp/confirm', {
    json,
  })
  assert.equal(confirmed.status, 200, confirmed.text)
  const recoveryCodes = confirmed.json().recovery_codes as readonly string[]
  return { ...person, readCode, recoveryCodes }
}

/** Computes as an app does, from the secret in Base32. */
export function buildAuthenticator(secret: string): (nowMs: number) => string {
  const bits = Array.from(secret, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((one) => Number.parseInt(one, 2)))
  return (nowMs) => computeTotpCode(bytes, Math.floor(nowMs / 30_000))
}

/** The second step of a sign-in, with the cookies of the first one. */
export function useSecondFactor(
  app: TestApp,
  firstStep: TestAnswer,
  json: object,
): Promise<TestAnswer> {
  const headers = { cookie: readSetCookies(firstStep) }
  return app.send('POST', '/beta/session/second-factor', { json, headers })
}
