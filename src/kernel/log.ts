// The log: JSON lines for machines, short lines for a person at a terminal. Always on standard
// error: standard output is for the result of a command.

import pino from 'pino'
import { readSpan } from './tracing/span.ts'

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
    : { write: (line: string) => destination.write(escapeControls(line)) }
  return wrapLogger(
    pino(
      {
        level: options.level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        mixin: readTrace,
        formatters: { level: (label) => ({ level: label }) },
      },
      stream,
    ),
  )
}

/** A line of work that is traced names its trace. */
function readTrace(): object {
  const span = readSpan()
  return span === null ? {} : { trace_id: span.traceId }
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

// JSON escapes the control characters below U+0020 only. DEL and those from U+0080 on can steer a
// terminal as well, and marks of direction show a line in another order than it has.
const CONTROLS = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/**
 * As JSON would write them. They occur within texts only, so a line of JSON means what it meant.
 */
function escapeControls(line: string): string {
  return line.replaceAll(
    CONTROLS,
    (one) => `\\u${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
}

// `09:15:02 warn  message {"port":8080}`: fields stay JSON, and so does a message with control
// characters, so that none reaches the terminal.
function formatForPeople(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line)
  const clock = String(time).slice(11, 19)
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`
  const message = JSON.stringify(String(msg)).slice(1, -1).replaceAll('\\"', '"')
  return `${escapeControls(`${clock} ${String(level).padEnd(5)} ${message}${rest}`)}\n`
}
