// What the roles of the person do not allow. The server names what is missing.

import { CaseworkError } from 'casework/client'
import { Lock } from 'lucide-react'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'
import { ProblemWords } from './problem-words.tsx'

export function NoPermission({ error }: { readonly error?: unknown }) {
  const t = useText(messages)
  return (
    <div className="empty">
      <Lock size={20} aria-hidden className="dim" />
      <h2 className="section-title">{t('no_permission')}</h2>
      <p className="dim">{t('no_permission_why')}</p>
      {error instanceof CaseworkError && (
        <p className="dim small">
          <ProblemWords error={error} />
        </p>
      )}
    </div>
  )
}
