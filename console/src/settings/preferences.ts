// What a person has chosen in this browser: language, time zone, density, single-key shortcuts. The
// colour scheme is kept by Mantine, which applies it.

import { useSyncExternalStore } from 'react'

export interface Preferences {
  readonly language: 'auto' | 'en' | 'de'
  readonly zone: 'local' | 'utc'
  readonly density: 'normal' | 'compact'
  /** WCAG 2.1.4: shortcuts of one character can be switched off. */
  readonly keys: 'on' | 'off'
  readonly tour: 'open' | 'done'
}

const STORE_KEY = 'casework-preferences'
const DEFAULTS: Preferences = {
  language: 'auto',
  zone: 'local',
  density: 'normal',
  keys: 'on',
  tour: 'open',
}
const CHOICES: { readonly [Key in keyof Preferences]: readonly Preferences[Key][] } = {
  language: ['auto', 'en', 'de'],
  zone: ['local', 'utc'],
  density: ['normal', 'compact'],
  keys: ['on', 'off'],
  tour: ['open', 'done'],
}

const listeners = new Set<() => void>()
let current = load()

export function readPreferences(): Preferences {
  return current
}

export function setPreference<Key extends keyof Preferences>(
  key: Key,
  value: Preferences[Key],
): void {
  current = { ...current, [key]: value }
  try {
    localStorage.setItem(STORE_KEY, JSON.stringify(current))
  } catch {
    // A browser that keeps nothing forgets the choice with the page.
  }
  apply()
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, readPreferences)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function apply(): void {
  document.documentElement.dataset['density'] = current.density
  for (const listener of listeners) listener()
}

function load(): Preferences {
  let stored: unknown = null
  try {
    stored = JSON.parse(localStorage.getItem(STORE_KEY) ?? 'null')
  } catch {
    // As if nothing had been kept.
  }
  const given = typeof stored === 'object' && stored !== null ? stored : {}
  const read = <Key extends keyof Preferences>(key: Key): Preferences[Key] => {
    const value: unknown = Reflect.get(given, key)
    return CHOICES[key].find((choice) => choice === value) ?? DEFAULTS[key]
  }
  return {
    language: read('language'),
    zone: read('zone'),
    density: read('density'),
    keys: read('keys'),
    tour: read('tour'),
  }
}

// Another tab of the same browser has changed them.
window.addEventListener('storage', ({ key }) => {
  if (key !== STORE_KEY) return
  current = load()
  apply()
})
document.documentElement.dataset['density'] = current.density
