// The one client of the interface. The session travels in a cookie that no script can read; every
// request that changes something names the token of the session as well (OWASP on CSRF).

import { createCasework } from 'casework/client'
import { followAct } from './acts-under-way.ts'

let csrfToken = ''

/** Of `GET /beta/session`; each new session has its own. */
export function rememberCsrfToken(token: string): void {
  csrfToken = token
}

export const casework = createCasework({
  url: location.origin,
  // A person who waits is told of an outage before a program is.
  waitSecondsMax: 15,
  fetch(request) {
    const isRead = request.method === 'GET'
    if (isRead) return fetch(request)
    if (csrfToken !== '') request.headers.set('casework-csrf', csrfToken)
    return followAct(fetch(request))
  },
})
