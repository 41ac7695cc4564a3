// Names the addresses of a web server's log that Casework knows as malicious, and why.
// node examples/sdk/check-log.mjs <log file>

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createCasework } from 'casework/client'

const casework = createCasework({
  url: process.env.CASEWORK_URL ?? 'http://127.0.0.1:8080',
  token: process.env.CASEWORK_TOKEN,
})

const [, , file] = process.argv
const addresses = new Set()
for await (const line of createInterface({ input: createReadStream(file) })) {
  addresses.add(line.split(' ')[0])
}

for await (const checked of casework.check(addresses)) {
  if (checked.type === 'INVALID' || checked.intent !== 'malicious') continue
  const { result, partial } = await casework.lookup(checked.item)
  const tags = result.tags.join(', ')
  console.log(`${result.item}: ${tags || 'listed'}${partial ? ' (not everything is known)' : ''}`)
}
