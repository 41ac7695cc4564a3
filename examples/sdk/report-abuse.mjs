// Pushes an attack as an event, and shows the open cases of its address.
// node examples/sdk/report-abuse.mjs <address>

import { CaseworkError, createCasework } from 'casework/client'

const casework = createCasework({
  url: process.env.CASEWORK_URL ?? 'http://127.0.0.1:8080',
  token: process.env.CASEWORK_TOKEN,
})

const [, , ip] = process.argv
try {
  // Sent again by itself after a lost connection: its Idempotency-Key makes it one event.
  await casework.post('/beta/casework/events', {
    body: {
      event_type: 'LoginAttack',
      event_date: new Date().toISOString(),
      ip,
      sender_email: 'soc@example.com',
    },
  })
  const query = { ip, state: 'NEW,IN_PROGRESS' }
  for await (const { id, state } of casework.list('/beta/casework/cases', { params: { query } })) {
    console.log(`${id} ${state}`)
  }
} catch (error) {
  if (!(error instanceof CaseworkError)) throw error
  console.error(`${error.message} ${error.code} ${error.field ?? ''} (request ${error.requestId})`)
  process.exitCode = 1
}
