// Reads the replies of a mail server (RFC 5321 section 4.2), which may be several lines each,
// within bounds.

import type { Socket } from 'node:net'

export interface SmtpReply {
  readonly code: number
  /** RFC 3463: "5.1.1" of a reply "550 5.1.1 No such user"; null when the server gives none. */
  readonly enhancedCode: string | null
}

export interface ReplyReader {
  /**
   * The next reply. Rejects when the connection ends, breaks, or sends what is no reply or too much
   * of it.
   */
  readonly read: () => Promise<SmtpReply>
}

// RFC 5321 section 4.5.3.1.5 allows 512 octets a line; servers with long greetings send more.
const LINE_BYTES_MAX = 4_096
// The longest EHLO answers have some twenty lines.
const LINES_MAX = 100

const LINE = /^([2-5]\d\d)([ -]|$)(?:([245]\.\d{1,3}\.\d{1,3})(?: |$))?/

export function createReplyReader(socket: Socket): ReplyReader {
  const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false })
  let buffered = ''
  const readLine = async (): Promise<string> => {
    for (let end = buffered.indexOf('\n'); ; end = buffered.indexOf('\n')) {
      if (end >= 0) {
        const line = buffered.slice(0, end).replace(/\r$/, '')
        buffered = buffered.slice(end + 1)
        return line
      }
      if (buffered.length > LINE_BYTES_MAX) throw new Error('the server sends too long a line')
      // oxlint-disable-next-line eslint/no-await-in-loop
      const chunk = await chunks.next()
      if (chunk.done === true) throw new Error('the server closed the connection')
      buffered += chunk.value.toString('latin1')
    }
  }
  return {
    async read() {
      for (let lines = 1; lines <= LINES_MAX; lines += 1) {
        // oxlint-disable-next-line eslint/no-await-in-loop
        const parts = LINE.exec(await readLine())
        if (parts === null) throw new Error('the server does not speak SMTP')
        if (parts[2] === '-') continue
        return { code: Number(parts[1]), enhancedCode: parts[3] ?? null }
      }
      throw new Error('the server sends too long a reply')
    },
  }
}
