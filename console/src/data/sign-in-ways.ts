// How a person can sign in at the address of this page.

import { queryOptions } from '@tanstack/react-query'
import { casework } from './client.ts'

export const signInWaysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: () => casework.get('/beta/session/sign-in-ways'),
  staleTime: 60_000,
})
