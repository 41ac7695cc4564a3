// What smtp-server lets pass and this listener does not: commands that end in a bare line feed, and
// clients that are refused again and again.

// The names are those of smtp-server.
/* oxlint-disable eslint/no-underscore-dangle */

import { SMTPServer } from 'smtp-server'
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js'

export interface StrictLimits {
  /** A client that is refused so often between two kept mails is disconnected. */
  readonly refusalsMax: number
}

export interface StrictEvents {
  readonly onBareLineFeed: () => void
  readonly onTooManyRefusals: () => void
}

type Connecting = Parameters<SMTPServer['connect']>

/** The members that it changes are internal ones of smtp-server: mail-limits.test.ts holds them. */
export class StrictServer extends SMTPServer {
  readonly #limits: StrictLimits
  readonly #events: StrictEvents

  constructor(
    options: ConstructorParameters<typeof SMTPServer>[0],
    limits: StrictLimits,
    events: StrictEvents,
  ) {
    super(options)
    this.#limits = limits
    this.#events = events
  }

  override connect(...connecting: Connecting): void {
    const before = new Set(this.connections)
    super.connect(...connecting)
    for (const connection of this.connections) {
      if (before.has(connection)) continue
      countRefusals(connection, this.#limits, this.#events)
      refuseBareLineFeeds(connection, this.#events)
    }
  }
}

// RFC 5321 section 4.1.1.1 and 2.3.8: CR LF ends a line, and nothing else does. A server before us
// may see other lines in a bare line feed than we do.
function refuseBareLineFeeds(connection: SMTPConnection, { onBareLineFeed }: StrictEvents): void {
  const refuse = (): void => {
    onBareLineFeed()
    connection.send(500, 'A line ends with CR LF, closing connection')
    connection.close()
  }
  const createParser = connection._createParser.bind(connection)
  // TLS begins with a new one.
  connection._createParser = () => guardCommands(createParser(), refuse)
  if (connection._parser !== false) guardCommands(connection._parser, refuse)
}

function guardCommands(parser: SMTPStream, refuse: () => void): SMTPStream {
  const write = parser._write.bind(parser)
  parser._write = (chunk, encoding, next) => {
    const at = parser._dataMode ? -1 : findBareLineFeed(parser._remainder, chunk)
    if (at === -1) return write(chunk, encoding, next)
    // Commands before it are answered. One of them may be DATA: the rest is then a mail.
    write(chunk.subarray(0, at), encoding, (error) => {
      if (error !== undefined && error !== null) return next(error)
      if (parser._dataMode) return write(chunk.subarray(at), encoding, next)
      if (!parser.isClosed) refuse()
      next()
    })
  }
  return parser
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** `before`: what came of the line in earlier chunks. */
function findBareLineFeed(before: string, chunk: Buffer): number {
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
    const isEnded = at === 0 ? before.endsWith('\r') : chunk[at - 1] === CARRIAGE_RETURN
    if (!isEnded) return at
  }
  return -1
}

function countRefusals(
  connection: SMTPConnection,
  { refusalsMax }: StrictLimits,
  { onTooManyRefusals }: StrictEvents,
): void {
  const send = connection.send.bind(connection)
  let refusals = 0
  connection.send = (code, words, context) => {
    send(code, words, context)
    if (context === 'DATA_OK') refusals = 0
    if (code < 400 || code === 421) return
    refusals += 1
    if (refusals !== refusalsMax) return
    onTooManyRefusals()
    send(421, 'Too many refusals, closing connection')
  }
}
