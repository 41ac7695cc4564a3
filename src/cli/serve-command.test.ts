// What `casework serve` says when it is ready.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildGreeting } from './serve-command.ts'

const SERVER = {
  url: 'http://127.0.0.1:8080',
  consoleUrl: 'http://localhost:8080/',
  intelUrl: null,
  opsUrl: null,
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

test('the greeting names the listener for monitoring, with and without the role api', () => {
  const server = { ...SERVER, mailLocations: [], opsUrl: 'http://127.0.0.1:9090' }
  const line = /^ {2}ops {7}http:\/\/127\.0\.0\.1:9090$/m
  assert.match(buildGreeting(server, null), line)
  assert.match(buildGreeting({ ...server, url: null }, null), line)
  assert.doesNotMatch(buildGreeting({ ...server, opsUrl: null }, null), / ops /)
})

test('the greeting names the console, by the address at which people can sign in', () => {
  const server = { ...SERVER, mailLocations: [] }
  assert.match(buildGreeting(server, null), /^ {2}console {3}http:\/\/localhost:8080\/$/m)
  assert.doesNotMatch(buildGreeting({ ...server, consoleUrl: null }, null), /console/)
})
