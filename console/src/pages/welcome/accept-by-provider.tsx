// Accepting an invitation with an account of a provider, in the place of a password. The way back
// ends in a session, or at the sign-in page with the reason.

import '../sign-in/sign-in.css'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { casework } from '../../data/client.ts'
import { signInWaysQuery } from '../../data/sign-in-ways.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { messages } from './messages.ts'

export function AcceptByProvider({ link }: { readonly link: string }) {
  const t = useText(messages)
  const ways = useQuery(signInWaysQuery)
  const accept = useMutation({
    mutationFn: (providerId: string) =>
      casework.post('/beta/session/providers/{providerId}/start', {
        params: { path: { providerId } },
        body: { link },
      }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const providers = ways.data?.providers ?? []
  if (providers.length === 0) return null
  return (
    <div className="stack accept-by-provider">
      <div className="or">
        <span>{t('or')}</span>
      </div>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          loading={accept.isPending && accept.variables === id}
          onClick={() => accept.mutate(id)}
        >
          <span className="cut">{t('accept_with', { name })}</span>
        </Button>
      ))}
      <FormProblem error={accept.error} />
    </div>
  )
}
