// Why an address cannot be listened on, in one sentence that names the flag.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatingError } from '../kernel/operating-error.ts'
import { explainListenTrouble, intelAddress } from './listen.ts'

const ADDRESS = intelAddress({ host: 'desk.example', intelPort: 8081 })

function explain(code: string): unknown {
  assert.ok(ADDRESS !== null)
  return explainListenTrouble(Object.assign(new Error(code), { code }), ADDRESS)
}

test('an address that this machine cannot have is told from a port that is taken, and from other trouble', () => {
  // Those of getaddrinfo: an unknown name, and no resolver that could be asked.
  for (const code of ['EACCES', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN']) {
    const error = explain(code)
    assert.ok(error instanceof OperatingError, code)
    assert.equal(error.code, 'APP_ADDRESS_NOT_USABLE')
    assert.match(error.publicMessage, new RegExp(`desk\\.example port 8081 \\(${code}\\).*--host`))
  }
  const taken = explain('EADDRINUSE')
  assert.ok(taken instanceof OperatingError)
  assert.match(taken.publicMessage, /Port 8081 .*--intel-port/)
  assert.ok(!(explain('EMFILE') instanceof OperatingError))
})
