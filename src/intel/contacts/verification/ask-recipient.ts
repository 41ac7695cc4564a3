// Asks a mail server whether it accepts mail for an address, without sending any: EHLO, MAIL FROM,
// RCPT TO, QUIT (RFC 5321).

import { connect, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { type Deadline, startDeadline, toError } from '../../../kernel/async/deadline.ts'
import { parseDomain } from '../../../values/domain.ts'
import { createReplyReader, type ReplyReader, type SmtpReply } from './smtp-replies.ts'

export type RecipientAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected' }
  /** The server refuses our machine permanently, so the recipient stays unknown. */
  | { readonly kind: 'not-told' }
  /** `connection`: RCPT TO was not reached. `wasReached`: a server accepted the connection. */
  | {
      readonly kind: 'undecided'
      readonly stage: 'connection' | 'recipient'
      readonly wasReached: boolean
    }

export interface RecipientQuestion {
  readonly email: string
  /** Checked addresses, tried in order until one accepts the connection. */
  readonly addresses: readonly string[]
  readonly port: number
  readonly timing: SmtpTiming
  readonly signal: AbortSignal
}

export interface SmtpTiming {
  /** For each address. */
  readonly connectMs: number
  /** For the dialog, once connected. */
  readonly dialogMs: number
}

// RFC 5321 section 4.5.3.2 allows a server five minutes for a reply. A working server answers
// within seconds; some let unknown senders wait 20 to 30 s for the greeting.
export const DEFAULT_TIMING: SmtpTiming = { connectMs: 10_000, dialogMs: 45_000 }

/** Never rejects. */
export async function askRecipient(question: RecipientQuestion): Promise<RecipientAnswer> {
  for (const address of question.addresses) {
    // One after the other: the next address is used only when this one does not answer.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const socket = await openSocket(question, address)
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (socket !== null) return await talk(question, socket)
  }
  return { kind: 'undecided', stage: 'connection', wasReached: false }
}

async function openSocket(
  { port, timing, signal }: RecipientQuestion,
  address: string,
): Promise<Socket | null> {
  const deadline = startDeadline(timing.connectMs, [signal])
  const socket = connect({ host: address, port })
  endWith(socket, deadline)
  try {
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('the connection closed')))
    })
    return socket
  } catch {
    socket.destroy()
    return null
  } finally {
    deadline.clear()
  }
}

async function talk(
  { email, timing, signal }: RecipientQuestion,
  socket: Socket,
): Promise<RecipientAnswer> {
  const deadline = startDeadline(timing.dialogMs, [signal])
  endWith(socket, deadline)
  const replies = createReplyReader(socket)
  let stage: 'connection' | 'recipient' = 'connection'
  try {
    const refusal = await introduce(socket, replies)
    if (refusal !== null) return classifyRefusal(refusal, stage)
    stage = 'recipient'
    const reply = await command(socket, replies, `RCPT TO:<${email}>`)
    socket.end('QUIT\r\n')
    return classifyReply(reply)
  } catch {
    return { kind: 'undecided', stage, wasReached: true }
  } finally {
    deadline.clear()
    // After QUIT was sent; its reply is not awaited.
    socket.destroySoon()
  }
}

function endWith(socket: Socket, deadline: Deadline): void {
  // An error event without a listener would end the process.
  socket.on('error', () => undefined)
  const end = (): void => {
    socket.destroy(toError(deadline.signal.reason))
  }
  if (deadline.signal.aborted) end()
  else deadline.signal.addEventListener('abort', end, { once: true })
}

/** Null when the server is ready for RCPT TO, else the reply that refused us. */
async function introduce(socket: Socket, replies: ReplyReader): Promise<SmtpReply | null> {
  const greeting = await replies.read()
  if (!isDone(greeting)) return greeting
  const name = nameOfClient(socket)
  const ehlo = await command(socket, replies, `EHLO ${name}`)
  const hello = isDone(ehlo) ? ehlo : await command(socket, replies, `HELO ${name}`)
  if (!isDone(hello)) return hello
  // The empty sender of delivery notices: no mail ever comes back to it.
  const sender = await command(socket, replies, 'MAIL FROM:<>')
  return isDone(sender) ? null : sender
}

// RFC 5321 section 4.1.4: the name of this machine, or its address when it has no proper name.
function nameOfClient(socket: Socket): string {
  const name = hostname().includes('.') ? parseDomain(hostname()) : null
  if (name !== null) return name
  const address = socket.localAddress ?? '127.0.0.1'
  return address.includes(':') ? `[IPv6:${address}]` : `[${address}]`
}

async function command(socket: Socket, replies: ReplyReader, line: string): Promise<SmtpReply> {
  socket.write(`${line}\r\n`)
  return await replies.read()
}

function isDone({ code }: SmtpReply): boolean {
  return code >= 200 && code < 300
}

// RFC 5321 section 4.2.2 and RFC 7504: the codes about the mailbox or its domain.
const MAILBOX_CODES: ReadonlySet<number> = new Set([550, 551, 552, 553, 556])

// RFC 3463: the second number is the subject of the error, 1 the address, 2 the mailbox. 5.7.1 for
// example refuses our machine and says nothing about the contact.
function classifyReply(reply: SmtpReply): RecipientAnswer {
  if (isDone(reply)) return { kind: 'accepted' }
  const { code, enhancedCode } = reply
  const isAboutMailbox =
    enhancedCode === null ? MAILBOX_CODES.has(code) : /^5\.[12]\./.test(enhancedCode)
  return code >= 500 && isAboutMailbox ? { kind: 'rejected' } : classifyRefusal(reply, 'recipient')
}

function classifyRefusal({ code }: SmtpReply, stage: 'connection' | 'recipient'): RecipientAnswer {
  return code >= 500 ? { kind: 'not-told' } : { kind: 'undecided', stage, wasReached: true }
}
