// A request that stays under way until the test sends its end.

import { connect } from 'node:net'
import { waitUntil } from '../wait.ts'

export interface BegunRequest {
  /** Sends the rest. */
  readonly finish: () => void
  /** The answer; what came of it when the connection ended before. */
  readonly whenAnswered: Promise<string>
}

/** Sends the head and half the body of a quick check; settles when the server has begun with it. */
export async function beginRequest(url: URL): Promise<BegunRequest> {
  const body = '["192.0.2.1"]'
  const socket = connect({ host: url.hostname, port: Number(url.port) })
  socket.on('error', () => undefined)
  socket.write(
    `POST /beta/quick-check HTTP/1.1\r\nhost: casework.example\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  )
  let received = ''
  const whenAnswered = new Promise<string>((resolve) => {
    socket.setEncoding('utf8').on('data', (part: string) => {
      received += part
      const answer = received.split('HTTP/1.1 100 Continue\r\n\r\n')[1] ?? ''
      if (answer !== '') resolve(answer)
    })
    socket.once('close', () => resolve(received))
  })
  // The interim answer says that the server has begun with the request.
  await waitUntil(() => received.includes('100 Continue'))
  socket.write(body.slice(0, 5))
  return { finish: () => void socket.end(body.slice(5)), whenAnswered }
}
