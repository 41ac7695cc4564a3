// Why a request failed, as a sentence for people: ours where the console knows the code in the
// language of the person, else the server's, marked as English for those who have pages read out.

import { CaseworkError } from 'casework/client'
import type { Language } from '../messages/define-messages.ts'
import { useGermanWords } from '../messages/use-german-words.ts'
import { useLanguage, useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

type Words = Readonly<Record<string, string>>

const loadServerWords = async (): Promise<Words> =>
  (await import('../messages/server-words-de.ts')).SERVER_WORDS_DE

/** The sentence, inline. `error` is whatever a request threw. */
export function ProblemWords({ error }: { readonly error: unknown }) {
  const t = useText(messages)
  const language = useLanguage()
  const words = useGermanWords('server', loadServerWords)
  if (!(error instanceof CaseworkError)) return t('problem_own')
  if (error.status === 0) return t('problem_silent')
  const wait = error.retryAfterSeconds
  return (
    <>
      <Sentence error={error} words={words} language={language} />
      {wait !== null && ` ${t('problem_busy', { seconds: wait })}`}
    </>
  )
}

interface SentenceProps {
  readonly error: CaseworkError
  readonly words: Words | null
  readonly language: Language
}

function Sentence({ error, words, language }: SentenceProps) {
  const own = error.code === null ? undefined : words?.[error.code]
  const theirs = language === 'en' ? error.message : <span lang="en">{error.message}</span>
  if (own === undefined) return theirs
  // The fields say what is wrong with them.
  if (error.code === 'KERNEL_REQUEST_NOT_VALID' && error.locations.length > 0) {
    return own.replace(/:$/, '.')
  }
  // A colon says that the sentence needs what the server named.
  return own.endsWith(':') ? (
    <>
      {own} {theirs}
    </>
  ) : (
    own
  )
}
