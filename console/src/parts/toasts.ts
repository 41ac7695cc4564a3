// Short messages at the bottom of the window: what was done, with Undo, or what failed.

import { useSyncExternalStore } from 'react'

export interface Toast {
  readonly id: number
  readonly kind: 'done' | 'failure'
  readonly text: string
  readonly undo?: (() => Promise<void>) | null
  readonly error?: unknown
}

// So long a person can take an act back; failures stay until they are closed.
export const UNDO_MS = 10_000
const TOASTS_MAX = 3

const listeners = new Set<() => void>()
let toasts: readonly Toast[] = []
let nextId = 1

export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = nextId
  nextId += 1
  set([...toasts.slice(1 - TOASTS_MAX), { ...toast, id }])
}

export function closeToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id))
}

/** What was said to one person, or in one tenant, is not for the next. */
export function closeToasts(): void {
  set([])
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
