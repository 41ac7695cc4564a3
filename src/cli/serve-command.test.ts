// What `casework serve` says when it is ready.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildGreeting } from './serve-command.ts'

const SERVER = {
  url: 'http://127.0.0.1:8080',
  intelUrl: null,
  databaseDescription: 'embedded',
}

test('the greeting names every place where mail is taken, and none when there is none', () => {
  const mailLocations = ['SMTP port 2525', 'LMTP port 2424', 'LMTP socket /run/lmtp.sock']
  assert.match(
    buildGreeting({ ...SERVER, mailLocations }, null),
    /^ {2}mail {6}SMTP port 2525, LMTP port 2424, LMTP socket \/run\/lmtp\.sock$/m,
  )
  assert.doesNotMatch(buildGreeting({ ...SERVER, mailLocations: [] }, null), /mail/)
})
