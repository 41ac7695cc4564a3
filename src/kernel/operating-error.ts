// Expected errors, about which a caller or an operator can do something. An impossible state is an
// assertion instead.

import { type FieldProblem } from '../values/field-problem.ts'

export interface OperatingErrorOptions {
  /** Stable `AREA_WHAT_HAPPENED`, listed in docs/reference/errors.md and provoked by a test. */
  readonly code: string
  readonly status: number
  /**
   * One sentence a person can act on; it must not contain internals, ids of other tenants or the
   * text of a cause.
   */
  readonly publicMessage: string
  readonly fields?: readonly FieldProblem[]
  /** Response headers that belong to the refusal, such as `Retry-After` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The private reason, for the log only. */
  readonly cause?: unknown
}

/**
 * Created only in `<area>/errors.ts`, so that the catalogue of codes can be read (and tested) in a
 * few places.
 */
export class OperatingError extends Error {
  readonly code: string
  readonly status: number
  readonly publicMessage: string
  readonly fields: readonly FieldProblem[]
  readonly headers: Readonly<Record<string, string>>

  constructor(options: OperatingErrorOptions) {
    super(`${options.code}: ${options.publicMessage}`, { cause: options.cause })
    this.name = 'OperatingError'
    this.code = options.code
    this.status = options.status
    this.publicMessage = options.publicMessage
    this.fields = options.fields ?? []
    this.headers = options.headers ?? {}
  }
}
