// Starts the console.

import '@mantine/core/styles.layer.css'
import './theme/tokens.css'
import './frame/frame.css'
import './frame/search.css'
import './parts/parts.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient, whenSignedOut } from './data/query-client.ts'
import { readLanguage, useLanguage } from './messages/use-text.ts'
import { readNonce } from './nonce.ts'
import { router } from './router.ts'
import { resolveVariables, theme } from './theme/theme.ts'

// The library that keeps the page still under a dialog reads its nonce here.
Reflect.set(globalThis, '__webpack_nonce__', readNonce())

document.documentElement.lang = readLanguage()

/** Pages are read out in the language that they are in, also after another one was chosen. */
function PageLanguage() {
  const language = useLanguage()
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return null
}

// Where people without a session are.
const DOORS: ReadonlySet<string> = new Set(['/sign-in', '/forgotten-password', '/welcome'])

whenSignedOut(() => {
  const { href, pathname } = router.state.location
  if (DOORS.has(pathname)) return
  void router.navigate({ to: '/sign-in', search: { next: href, why: 'ended' } })
})

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      getStyleNonce={readNonce}
    >
      <QueryClientProvider client={queryClient}>
        <PageLanguage />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
