// How a person gets a token of their own for this machine: by a code that they approve in a
// browser (RFC 8628), or by their password, which approves such a code at once. Neither the
// password nor the session is kept.

import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Casework, CaseworkError, createCasework, type Schemas } from '../../client/client.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'
import { escapeControls } from '../format-table.ts'

const CLIENT_NAME_MAX = 100

const nameClient = (): string => `casework at ${hostname()}`.slice(0, CLIENT_NAME_MAX)

/** Shows the code, and waits until a person has decided on it. */
export async function logInByBrowser(url: string): Promise<string> {
  const casework = createCasework({ url })
  const codes = await casework.post('/beta/session/device', { body: { client_name: nameClient() } })
  process.stderr.write(
    `Open ${escapeControls(codes.verification_uri)} in a browser, sign in, and approve the code ${escapeControls(codes.user_code)}.\n`,
  )
  await sleep(codes.interval * 1_000)
  return await waitForToken(casework, codes)
}

async function waitForToken(casework: Casework, codes: Schemas['DeviceCodes']): Promise<string> {
  const { device_code: code, interval, expires_in: lifeSeconds } = codes
  // The code ends on the server as well; this holds should its clock stand still.
  for (let waited = 0; waited <= lifeSeconds; ) {
    const answer = await askForToken(casework, code)
    if (answer.token !== null) return answer.token
    const seconds = Math.max(answer.waitSeconds ?? interval, 1)
    await sleep(seconds * 1_000)
    waited += seconds
  }
  throw new CommandFailure('Nobody has approved the login in time.', EXIT.credential)
}

const WAITING: ReadonlySet<string | null> = new Set(['APP_DEVICE_PENDING', 'APP_DEVICE_TOO_FAST'])

async function askForToken(casework: Casework, code: string) {
  try {
    const body = { device_code: code }
    const answer = await casework.post('/beta/session/device/token', { body })
    return { token: answer.access_token, waitSeconds: null }
  } catch (error) {
    if (!(error instanceof CaseworkError) || error.status !== 400) throw error
    if (WAITING.has(error.code)) return { token: null, waitSeconds: error.retryAfterSeconds }
    throw new CommandFailure(`${error.message} Nothing was kept.`, EXIT.credential, error)
  }
}

export interface PasswordLogin {
  readonly email: string
  readonly password: string
  /** Asked of a person with a second factor: of the app, or a recovery code. */
  readonly askCode: () => Promise<string>
}

/** The session lives for these four requests. */
export async function logInByPassword(url: string, login: PasswordLogin): Promise<string> {
  const casework = createCasework({ url, fetch: keepCookies() })
  const headers = { 'casework-csrf': await signIn(casework, login) }
  try {
    const named = { client_name: nameClient() }
    const codes = await casework.post('/beta/session/device', { body: named })
    const decision = { user_code: codes.user_code, approve: true }
    await casework.post('/beta/session/device/decision', { body: decision, headers })
    return await waitForToken(casework, codes)
  } finally {
    await casework.delete('/beta/session', { headers })
  }
}

/** Both steps, the second where it is needed. The CSRF token of the session. */
async function signIn(casework: Casework, login: PasswordLogin): Promise<string> {
  const { email, password } = login
  const first = await casework.post('/beta/session', { body: { email, password } })
  if (!('ways' in first)) {
    if (!first.must_enrol) return first.csrf_token
    await casework.delete('/beta/session', { headers: { 'casework-csrf': first.csrf_token } })
    throw new CommandFailure(
      'A second factor is required here, and you have none. Sign in to the console in a browser, set one up, and log in again.',
      EXIT.credential,
    )
  }
  if (!first.ways.some((way) => way !== 'passkey')) {
    throw new CommandFailure(
      'Your second factor is a passkey, which needs a browser: say --by browser.',
      EXIT.credential,
    )
  }
  const code = await login.askCode()
  const body = /^\d{6}$/.test(code) ? { code } : { recovery_code: code }
  const second = await casework.post('/beta/session/second-factor', { body })
  return second.csrf_token
}

/** A `fetch` that sends the cookies which the last answer with cookies has set. */
function keepCookies(): (request: Request) => Promise<Response> {
  let kept = ''
  return async (request) => {
    if (kept !== '') request.headers.set('cookie', kept)
    const answer = await fetch(request)
    const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0])
    if (cookies.length > 0) kept = cookies.join('; ')
    return answer
  }
}
