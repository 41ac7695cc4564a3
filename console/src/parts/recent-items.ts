// The items that a person looked up last, kept in this browser for each person apart.

import { useSyncExternalStore } from 'react'
import { RECENT_PREFIX } from '../data/browser-memory.ts'
import type { Intent } from './badges.tsx'

export interface RecentItem {
  readonly item: string
  readonly intent: Intent
}

const ITEMS_MAX = 10
const INTENTS: readonly Intent[] = ['malicious', 'suspicious', 'benign', 'unknown']
const NONE: readonly RecentItem[] = []

const listeners = new Set<() => void>()
const loaded = new Map<string, readonly RecentItem[]>()

export function useRecentItems(userId: string): readonly RecentItem[] {
  return useSyncExternalStore(subscribe, () => read(userId))
}

/** The newest stands first, once. */
export function rememberItem(userId: string, seen: RecentItem): void {
  const others = read(userId).filter(({ item }) => item !== seen.item)
  keep(userId, [seen, ...others].slice(0, ITEMS_MAX))
}

export function forgetItems(userId: string): void {
  keep(userId, NONE)
}

function read(userId: string): readonly RecentItem[] {
  let items = loaded.get(userId)
  if (items === undefined) {
    items = load(userId)
    loaded.set(userId, items)
  }
  return items
}

function load(userId: string): readonly RecentItem[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RECENT_PREFIX + userId) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecentItem).slice(0, ITEMS_MAX) : NONE
  } catch {
    return NONE
  }
}

function isRecentItem(value: unknown): value is RecentItem {
  if (typeof value !== 'object' || value === null) return false
  if (!('item' in value) || !('intent' in value)) return false
  return typeof value.item === 'string' && INTENTS.some((intent) => intent === value.intent)
}

function keep(userId: string, items: readonly RecentItem[]): void {
  loaded.set(userId, items)
  try {
    if (items.length === 0) localStorage.removeItem(RECENT_PREFIX + userId)
    else localStorage.setItem(RECENT_PREFIX + userId, JSON.stringify(items))
  } catch {
    // A browser that keeps nothing forgets them with the page.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
