// The texts of a catalogue in the language of this browser.

import { IntlMessageFormat } from 'intl-messageformat'
import { useMemo } from 'react'
import { readPreferences, usePreferences } from '../settings/preferences.ts'
import type { Catalogue, Language } from './define-messages.ts'
import { pseudoOf } from './pseudo.ts'

export type Values = Readonly<Record<string, string | number | Date | null | undefined>>

export type Text<Key extends string> = (key: Key, values?: Values) => string

const isPseudo = new URLSearchParams(location.search).get('locale') === 'pseudo'

/** The language that is chosen, else the first of the browser that there is a catalogue of. */
export function readLanguage(chosen = readPreferences().language): Language {
  if (isPseudo) return 'en'
  if (chosen !== 'auto') return chosen
  const found = navigator.languages.find((tag) => /^(?:en|de)\b/i.test(tag)) ?? 'en'
  return /^de/i.test(found) ? 'de' : 'en'
}

export function useLanguage(): Language {
  return readLanguage(usePreferences().language)
}

/** `const t = useText(messages)`, then `t('title')` or `t('selected', { count })`. */
export function useText<Key extends string>(catalogue: Catalogue<Key>): Text<Key> {
  const language = useLanguage()
  return useMemo(() => textOf(catalogue, language), [catalogue, language])
}

/** For what is said outside of components. */
export function textOf<Key extends string>(
  catalogue: Catalogue<Key>,
  language = readLanguage(),
): Text<Key> {
  return (key, values) => {
    const format = findFormat(catalogue[language][key], language)
    return String(format.format({ ...values }))
  }
}

// Parsing costs more than formatting, and a table says the same words in each row.
const formats = new Map<string, IntlMessageFormat>()

function findFormat(message: string, language: Language): IntlMessageFormat {
  const key = `${language} ${message}`
  let format = formats.get(key)
  if (format === undefined) {
    const text = isPseudo ? pseudoOf(message) : message
    format = new IntlMessageFormat(text, language, undefined, { ignoreTag: true })
    formats.set(key, format)
  }
  return format
}
