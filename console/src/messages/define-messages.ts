// Catalogues of what the console says. Each page and part has its own; TypeScript demands the same
// keys in both languages. Texts are ICU messages: `{count, plural, one {# case} other {# cases}}`.

export type Language = 'en' | 'de'

export interface Catalogue<Key extends string> {
  readonly en: Readonly<Record<Key, string>>
  readonly de: Readonly<Record<Key, string>>
}

export function defineMessages<const English extends Readonly<Record<string, string>>>(catalogue: {
  readonly en: English
  readonly de: { readonly [Key in keyof English]: string }
}): Catalogue<keyof English & string> {
  return catalogue
}
