// Exit codes of every command, documented in docs/reference/cli.md.

import { OperatingError } from '../kernel/operating-error.ts'

export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  credential: 3,
  notFound: 4,
  partial: 5,
  limit: 6,
  network: 7,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A failure of a command with its exit code; the message is shown to the person unchanged. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode, cause?: unknown) {
    super(message, { cause })
    this.name = 'CommandFailure'
    this.exitCode = exitCode
  }
}

const SETTINGS_CODE = 'KERNEL_SETTINGS_NOT_USABLE'

/** The exit code of an error that a command threw. */
export function chooseExitCode(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode
  if (error instanceof OperatingError && error.code === SETTINGS_CODE) return EXIT.usage
  return EXIT.failure
}

/** The exit code for a refused HTTP request. */
export function chooseExitCodeForStatus(status: number): ExitCode {
  if (status === 400) return EXIT.usage
  if (status === 401 || status === 403) return EXIT.credential
  if (status === 404) return EXIT.notFound
  if (status === 429) return EXIT.limit
  return EXIT.failure
}
