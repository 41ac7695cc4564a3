// The SMTP replies that refuse a connection, a recipient or a mail (RFC 5321 section 4.2): 4xx asks
// the client to retry, 5xx not to. No bounce mail is ever sent, so every refusal is one of these.

import { classifyTrouble } from '../../../kernel/db/trouble-codes.ts'
import type { RefusalReason } from './mail-metrics.ts'

export class MailRefusal extends Error {
  readonly responseCode: number
  readonly reason: RefusalReason

  constructor(responseCode: number, reason: RefusalReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MailRefusal'
    this.responseCode = responseCode
    this.reason = reason
  }
}

export function tooManyConnections(): MailRefusal {
  return new MailRefusal(
    421,
    'too_many_connections',
    'Too many connections from your address, try again in a moment',
  )
}

export function tooFast(seconds: number): MailRefusal {
  return new MailRefusal(
    451,
    'too_fast',
    `Too many mails from your address, try again in ${seconds} seconds`,
  )
}

export function unknownRecipient(): MailRefusal {
  return new MailRefusal(550, 'unknown_recipient', 'No reports are accepted for this address')
}

export function repeatedRecipient(): MailRefusal {
  return new MailRefusal(
    452,
    'repeated_recipient',
    'This recipient was already given for this mail',
  )
}

export function tooLarge(bytesMax: number): MailRefusal {
  return new MailRefusal(552, 'too_large', `The mail is larger than ${bytesMax} bytes`)
}

export function noMemory(): MailRefusal {
  return new MailRefusal(452, 'no_memory', 'Too much mail is coming in, try again in a moment')
}

/** Either way the client keeps the mail and tries again. */
export function notStored(cause: unknown): MailRefusal {
  if (classifyTrouble(cause) === 'disk_full') {
    return new MailRefusal(
      452,
      'disk_full',
      'There is no room to store the mail, try again later',
      cause,
    )
  }
  return new MailRefusal(
    451,
    'not_stored',
    'The mail could not be stored, try again in a moment',
    cause,
  )
}

export function tooSlow(): MailRefusal {
  return new MailRefusal(421, 'too_slow', 'Timeout - closing connection')
}

export function brokenOff(cause: unknown): MailRefusal {
  return new MailRefusal(451, 'broken_off', 'The mail did not come whole', cause)
}
