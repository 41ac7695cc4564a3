// `casework config`: every setting, its value and its origin, so that "why does it use that port"
// has an answer.

import { environmentNameOf, SETTINGS } from '../kernel/settings.ts'
import { readServerUrl } from './api-client.ts'
import { formatTable } from './format-table.ts'
import { OUTPUTS, readOutput } from './read-output.ts'
import { listSettings, loadConfigFromFlags } from './settings-flags.ts'
import { writeRead } from './write-read.ts'

export function runConfig(flags: Readonly<Record<string, unknown>>): void {
  const output = readOutput(flags, OUTPUTS)
  const { config, origins } = loadConfigFromFlags(flags)
  const values: Readonly<Record<string, unknown>> = { ...config }
  const rows = listSettings().map((name) => {
    const value =
      values[name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())]
    const isSecret = 'isSecret' in SETTINGS[name] && value !== null
    return {
      name,
      variable: environmentNameOf(name),
      value: isSecret ? '********' : value,
      origin: origins[name],
    }
  })
  const server = readServerUrl({})
  if (server !== null) {
    process.stderr.write(
      `These are the settings of a server started here, with this environment and configuration file, not those of ${server}.\n`,
    )
  }
  const shown = rows.map((row) => ({ ...row, value: formatValue(row.value) }))
  const columns = ['name', 'value', 'origin', 'variable']
  writeRead(output, {
    document: rows,
    columns,
    formatForPeople: () => formatTable(columns, shown),
  })
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '(unset)'
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
