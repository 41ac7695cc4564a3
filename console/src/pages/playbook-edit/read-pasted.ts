// Reads nodes from a text that was pasted. Pure; whatever the text is, the answer is nodes or none.

import type { GraphNode } from '../../parts/playbook-graph/graph.ts'

const TEXT_MAX = 1_000_000

export function readPasted(text: string): readonly GraphNode[] {
  if (text.length > TEXT_MAX || !text.trimStart().startsWith('{')) return []
  try {
    const value: unknown = JSON.parse(text)
    const nodes = isRecord(value) ? value['nodes'] : undefined
    return Array.isArray(nodes) ? nodes.flatMap(readNode) : []
  } catch {
    return []
  }
}

/** Members of the wrong type are left out. */
function readNode(value: unknown): readonly GraphNode[] {
  if (!isRecord(value)) return []
  const { id, kind, config, paths, position, note, retry } = value
  if (typeof id !== 'string' || typeof kind !== 'string') return []
  return [
    {
      id,
      kind,
      ...(isRecord(config) ? { config } : {}),
      ...(isRecord(paths) ? { paths: pickTexts(paths) } : {}),
      ...(isPosition(position) ? { position } : {}),
      ...(typeof note === 'string' ? { note } : {}),
      ...(isRecord(retry) ? { retry: pickNumbers(retry) } : {}),
    },
  ]
}

function pickTexts(paths: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, to]) =>
      typeof to === 'string' ? [[path, to] as const] : [],
    ),
  )
}

function pickNumbers(retry: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(retry).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value] as const] : [],
    ),
  )
}

function isPosition(value: unknown): value is { readonly x: number; readonly y: number } {
  return isRecord(value) && typeof value['x'] === 'number' && typeof value['y'] === 'number'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
