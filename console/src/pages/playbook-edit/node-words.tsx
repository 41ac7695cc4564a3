// What the server says of kinds of nodes and their settings, in the language of the person.

import { useGermanWords } from '../../messages/use-german-words.ts'
import { CodeText } from '../../parts/code-text.tsx'

const loadNodeWords = async () => (await import('./node-words-de.ts')).NODE_WORDS_DE

/** `say(sentence)`; a sentence without a translation stands for itself. */
export function useNodeWords(): (sentence: string) => string {
  const words = useGermanWords('nodes', loadNodeWords)
  return (sentence) => words?.[sentence] ?? sentence
}

/** With names of the program as code. */
export function NodeWords({ text }: { readonly text: string }) {
  return <CodeText text={useNodeWords()(text)} />
}
