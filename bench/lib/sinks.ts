// An HTTP and an SMTP server on loopback that take everything, for effects of playbooks.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Sinks {
  readonly httpPort: number
  readonly mailPort: number
  /** What came, in words. */
  readonly count: () => string
  readonly close: () => Promise<void>
}

export async function openSinks(): Promise<Sinks> {
  const seen = { requests: 0, mails: 0 }
  const http = createServer((message, response) => {
    message.resume()
    message.on('end', () => {
      seen.requests += 1
      response.end('{}')
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const mail = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, callback) {
      stream.resume()
      stream.on('end', () => {
        seen.mails += 1
        callback()
      })
    },
  })
  mail.on('error', () => undefined)
  mail.listen(0, '127.0.0.1')
  await once(mail.server, 'listening')
  return {
    httpPort: readPort(http.address()),
    mailPort: readPort(mail.server.address()),
    count: () => `${seen.requests} requests and ${seen.mails} mails came`,
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await new Promise<void>((resolve) => mail.close(() => resolve()))
    },
  }
}

function readPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the sink has no port')
  return address.port
}
