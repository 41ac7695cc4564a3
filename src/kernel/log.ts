// The log: JSON lines for machines, short lines for a person at a terminal. Always on standard
// error: standard output is for the result of a command.

import pino from 'pino'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface Log {
  readonly debug: (message: string, fields?: object) => void
  readonly info: (message: string, fields?: object) => void
  readonly warn: (message: string, fields?: object) => void
  readonly error: (message: string, fields?: object) => void
  /** A log that adds `fields` to every line. */
  readonly child: (fields: object) => Log
}

export interface LogOptions {
  readonly level: LogLevel
  /** True on a terminal: one readable line an entry instead of JSON. */
  readonly isForPeople: boolean
  /** The target of the lines; standard error by default. */
  readonly destination?: { readonly write: (line: string) => unknown }
}

export function createLog(options: LogOptions): Log {
  const destination = options.destination ?? process.stderr
  const stream = options.isForPeople
    ? { write: (line: string) => destination.write(formatForPeople(line)) }
    : { write: (line: string) => destination.write(line) }
  return wrapLogger(
    pino(
      {
        level: options.level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      stream,
    ),
  )
}

/** A log that writes nothing, for tests and one-shot commands. */
export const silentLog: Log = createLog({ level: 'silent', isForPeople: false })

function wrapLogger(logger: pino.Logger): Log {
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
    child: (fields) => wrapLogger(logger.child(fields)),
  }
}

// `09:15:02 warn  message {"port":8080}`: fields stay JSON, so control characters in data cannot
// reach the terminal.
function formatForPeople(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line)
  const clock = String(time).slice(11, 19)
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`
  return `${clock} ${String(level).padEnd(5)} ${String(msg)}${rest}\n`
}
