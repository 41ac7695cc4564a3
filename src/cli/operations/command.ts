// A command that is one operation of the interface: its name, its words, and what differs from the
// flags that the operation has by itself. How to add one: a row in the table of its group.

export interface CommandSpec {
  /** Group and verb, such as `case list`. */
  readonly name: string
  /** The id of the operation. */
  readonly operation: string
  readonly about: string
  /** Command lines without `npx casework`. */
  readonly examples: readonly [string, ...string[]]
  /** The words for the placeholders of the path, in its order; their own names when left out. */
  readonly arguments?: readonly string[]
  /** Takes several of its last placeholder, `-` for standard input, and makes a request of each. */
  readonly isMany?: true
  /**
   * A member of the body or query that is an argument, after the placeholders; `-` reads it from
   * standard input.
   */
  readonly text?: string
  /** The name of this argument, where it is not that of the member. */
  readonly textName?: string
  /** The body may be named as an argument: a file, or `-` for standard input. */
  readonly takesFile?: true
  /** Members of the body that are the same each time. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Other names of flags, by member. */
  readonly flags?: Readonly<Record<string, string>>
  /** Members that have no flag. */
  readonly without?: readonly string[]
  /** Flags that must be given although the interface can do without. */
  readonly required?: readonly string[]
  /** The question before it acts. */
  readonly question?: string
  /** The query member that makes the server only say what it would do. */
  readonly dryRun?: string
  /** Members of the answer beside its rows that a person sees too. */
  readonly counts?: readonly string[]
  /** A command that may follow, with the value of this member of the answer as its argument. */
  readonly next?: { readonly member: string; readonly command: string }
  /** Its answer counts: CSV and lines of JSON have a row for each count. */
  readonly isCount?: true
  /** The saved views that its list can take, by `--view`. */
  readonly views?: 'cases' | 'events'
  /**
   * What a person sees of each row or of the record, as paths such as `summary.severity`. Of
   * `name|id` a person sees the first that is filled, and CSV has both.
   */
  readonly columns?: readonly string[]
  /** Members of the query that a person's view needs. */
  readonly view?: Readonly<Record<string, string>>
}
