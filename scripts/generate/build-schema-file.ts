// migrations/schema.sql: what the migrations make in the end, so that nobody has to sum them up in
// the head. Nothing runs it.

import type { Schema, Table } from './read-schema.ts'

const HEAD = `-- The sum of the migrations. Made by "npm run write"; nothing runs it. The monthly partitions of a
-- table are left out, and so is pg-boss, which keeps a schema of its own.
`

/** The text of the file: the tables in the order of their names, then what else there is. */
export function buildSchemaFile(schema: Schema): string {
  const statements = [...schema.tables.flatMap(writeTable), ...schema.others].map(shorten)
  return [HEAD, ...statements.map((statement) => `${statement};\n`)].join('\n')
}

function writeTable(table: Table): readonly string[] {
  const lines = [
    ...table.columns.map(({ name, type, isNullable, rest }) =>
      [name, type, isNullable ? '' : 'not null', rest].filter((part) => part !== '').join(' '),
    ),
    ...table.constraints,
  ]
  const columns = lines.map((line) => `  ${line}`).join(',\n')
  const end = table.partitioning === '' ? '' : ` ${table.partitioning}`
  return [`create table ${table.name} (\n${columns}\n)${end}`, ...table.statements]
}

// PostgreSQL writes the long names of types and its first words in capitals.
function shorten(statement: string): string {
  return statement
    .replaceAll(/timestamp(\(\d\))? with time zone/g, 'timestamptz$1')
    .replace(/^CREATE (?:OR REPLACE )?[A-Z ]*/, (words) => words.toLowerCase())
    .replaceAll(/(?<=^  constraint \w+ )[A-Z ]+/gm, (words) => words.toLowerCase())
}
