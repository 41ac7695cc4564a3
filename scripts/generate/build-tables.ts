// src/kernel/db/tables.ts: the types of what is read from each column, against which the compiler
// holds the tables that the stores describe.

import type { Column, Schema } from './read-schema.ts'

const HEAD = `// What is read from each column of each table. Made by "npm run write" from the migrations.

/** The types of columns by table. */
export interface Tables {
`

// As the driver reads them, with the parser of the pool for int8.
const TYPES: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  cidr: 'string',
  date: 'Date',
  integer: 'number',
  jsonb: 'object',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
}

/** Throws for a type of column that has no type here yet. */
export function buildTables({ tables }: Schema): string {
  const parts = tables.map(
    ({ name, columns }) => `  ${name}: {\n${columns.map(writeColumn).join('')}  }\n`,
  )
  return `${HEAD}${parts.join('')}}\n`
}

function writeColumn({ name, type, isNullable }: Column): string {
  return `    ${name}: ${readType(type)}${isNullable ? ' | null' : ''}\n`
}

function readType(type: string): string {
  if (type.endsWith('[]')) return `readonly ${readType(type.slice(0, -2))}[]`
  const found = TYPES[type.replace(/\(\d+\)/, '')]
  if (found === undefined) throw new Error(`columns of the type ${type} have no type here yet`)
  return found
}
