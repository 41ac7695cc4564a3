// Why something is wrong, as the server says it of a field, a report or a source: in the language of
// the person where the console knows the words, else the server's own, marked as English.

import { Fragment } from 'react'
import { useGermanWords } from '../messages/use-german-words.ts'
import { useLanguage } from '../messages/use-text.ts'

interface Reasons {
  readonly say: (reason: string) => string | null
}

const loadReasons = async (): Promise<Reasons> => ({
  say: (await import('../messages/server-reasons-de.ts')).sayReasonInGerman,
})

/** Inline, parted by semicolons. */
export function ServerReasons({ reasons }: { readonly reasons: readonly string[] }) {
  const german = useGermanWords('reasons', loadReasons)
  const isEnglish = useLanguage() === 'en'
  return reasons.map((reason, at) => {
    const own = german?.say(reason) ?? (isEnglish ? reason : <span lang="en">{reason}</span>)
    return (
      <Fragment key={reason}>
        {at > 0 && '; '}
        {own}
      </Fragment>
    )
  })
}
