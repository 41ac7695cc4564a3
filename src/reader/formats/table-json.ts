// A table that came as JSON: a list of flat objects, alone or as the one list of an object, or one
// object a line.

import { isJsonObject } from '../../values/json-value.ts'
import { MACHINE_EVENTS_MAX } from './machine-report.ts'
import type { TableRow } from './table-columns.ts'

// XARF of every version is a format of its own, also when it came as a list.
const FOREIGN_MEMBERS = ['xarf_version', 'ReporterInfo', 'Report', 'Disclosure']
// A source and its address nest two deep: {source: {ip}}.
const DEPTH_MAX = 3
const COLUMNS_MAX = 100
const ROWS_MAX = MACHINE_EVENTS_MAX + 1

/** The first row holds the names. Null when the text is no such JSON. */
export function readJsonRows(text: string): readonly TableRow[] | null {
  const start = text.trimStart()
  if (!start.startsWith('[') && !start.startsWith('{')) return null
  const objects = listObjects(start)
  if (objects === null || objects.length === 0) return null
  if (objects.some((object) => FOREIGN_MEMBERS.some((name) => name in object))) return null
  const flat = objects.slice(0, ROWS_MAX).map((object) => flatten(object))
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))].slice(0, COLUMNS_MAX)
  const rows = flat.map((row, index) => ({
    cells: names.map((name) => row.get(name) ?? ''),
    line: index + 1,
  }))
  return [{ cells: names, line: 0 }, ...rows]
}

function listObjects(text: string): readonly Record<string, unknown>[] | null {
  const value = parseJson(text)
  if (value === undefined) return readLines(text)
  if (Array.isArray(value)) return value.filter(isJsonObject)
  if (!isJsonObject(value)) return null
  const lists = Object.values(value).filter((member) => Array.isArray(member))
  const [list] = lists.filter((member) => member.some(isJsonObject))
  return list === undefined ? [value] : list.filter(isJsonObject)
}

function readLines(text: string): readonly Record<string, unknown>[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const objects = lines.slice(0, ROWS_MAX).map(parseJson)
  return objects.every(isJsonObject) ? objects : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function flatten(object: Record<string, unknown>): Map<string, string> {
  const row = new Map<string, string>()
  addMembers(object, '', row, 1)
  return row
}

function addMembers(
  object: Record<string, unknown>,
  prefix: string,
  row: Map<string, string>,
  depth: number,
): void {
  for (const [name, value] of Object.entries(object)) {
    if (row.size >= COLUMNS_MAX) return
    const path = `${prefix}${name}`
    if (isJsonObject(value)) {
      if (depth < DEPTH_MAX) addMembers(value, `${path}_`, row, depth + 1)
    } else {
      row.set(path, textOf(value))
    }
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.slice(0, 50).map(textOf).join(', ')
  return ''
}
