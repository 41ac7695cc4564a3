// The operating errors of an area as one table: status, code and sentence of each, as data.

import type { FieldProblem } from '../values/field-problem.ts'
import { OperatingError } from './operating-error.ts'

type Headers = Readonly<Record<string, string>>

/** The public sentence, alone or with what else belongs to this one refusal. */
type Refusal =
  | string
  | {
      readonly text: string
      readonly fields?: readonly FieldProblem[]
      readonly headers?: Headers
      readonly cause?: unknown
    }

/**
 * Status, code and sentence (see OperatingErrorOptions for what each promises); a function makes
 * the sentence of what the caller hands over. Headers are those of every such refusal.
 */
type Row = readonly [
  status: number,
  code: string,
  refusal: Refusal | ((...args: never[]) => Refusal),
  headers?: Headers,
]

type Makers<Table extends Readonly<Record<string, Row>>> = {
  readonly [Name in keyof Table]: Table[Name][2] extends (...args: infer Args) => Refusal
    ? (...args: Args) => OperatingError
    : () => OperatingError
}

/** A function for each row, which makes that error. */
export function defineErrors<const Table extends Readonly<Record<string, Row>>>(
  table: Table,
): Makers<Table> {
  const makers = Object.entries(table).map(([name, row]) => [name, createMaker(row)])
  // Each maker takes the arguments of the function in its own row.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(makers) as Makers<Table>
}

function createMaker([status, code, refusal, headers]: Row): (...args: never[]) => OperatingError {
  return (...args) => {
    const said = typeof refusal === 'function' ? refusal(...args) : refusal
    const { text, ...rest } = typeof said === 'string' ? { text: said } : said
    return new OperatingError({
      ...(headers === undefined ? {} : { headers }),
      ...rest,
      code,
      status,
      publicMessage: text,
    })
  }
}

/** When the caller may try again. */
export function retryAfter(seconds: number): Headers {
  return { 'retry-after': String(seconds) }
}
