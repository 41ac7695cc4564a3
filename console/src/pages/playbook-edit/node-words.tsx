// What the server says of kinds of nodes and their settings, in the language of the person.

import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../messages/use-text.ts'
import { CodeText } from '../../parts/code-text.tsx'

const germanWords = {
  queryKey: ['node-words', 'de'],
  queryFn: async () => (await import('./node-words-de.ts')).NODE_WORDS_DE,
  staleTime: Number.POSITIVE_INFINITY,
} as const

/** `say(sentence)`; a sentence without a translation stands for itself. */
export function useNodeWords(): (sentence: string) => string {
  const language = useLanguage()
  const { data } = useQuery({ ...germanWords, enabled: language === 'de' })
  return (sentence) => (language === 'de' ? (data?.[sentence] ?? sentence) : sentence)
}

/** With names of the program as code. */
export function NodeWords({ text }: { readonly text: string }) {
  return <CodeText text={useNodeWords()(text)} />
}
