// Hands open cases of a customer to a chat: what is new, how severe it is, and what is due.
// node examples/sdk/watch-queue.mjs <customer>

import { CaseworkError, createCasework } from 'casework/client'

const casework = createCasework({
  url: process.env.CASEWORK_URL ?? 'http://127.0.0.1:8080',
  token: process.env.CASEWORK_TOKEN,
})

const [, , customer] = process.argv
const query = {
  state: 'NEW,IN_PROGRESS',
  expand: 'summary',
  ...(customer === undefined ? {} : { customer_id: customer }),
}
try {
  for await (const { id, summary } of casework.list('/beta/casework/cases', {
    params: { query },
  })) {
    const { severity = 'unrated', event_types: types, due_at: due, event_count: count } = summary
    console.log(`${id} ${severity}: ${types.join(', ')}, ${count} events, due ${due ?? 'never'}`)
    const path = { caseId: id }
    const { items } = await casework.get('/beta/casework/cases/{caseId}/timeline', {
      params: { path, query: { limit: 1, kinds: 'comment' } },
    })
    for (const { actor, text } of items) console.log(`  ${actor}: ${text}`)
  }
} catch (error) {
  if (!(error instanceof CaseworkError)) throw error
  console.error(`${error.message} (${error.code}, request ${error.requestId})`)
  process.exitCode = 1
}
