// How the web console is built. `npx vite console` serves it with reload while you write, and
// passes the interface on to a server at CASEWORK_URL.

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { NONCE_MARK } from '../src/app/console/open-console.ts'

// oxlint-disable-next-line node/no-process-env -- a program of a developer
const server = process.env['CASEWORK_URL'] ?? 'http://localhost:8080'

// With the host of the browser: a sign-in is taken from our own page only.
const proxied = { target: server, changeOrigin: false }

// What only pages with a table load, and only those of the administration.
const TABLE = /@tanstack.(?:react-)?(?:table|virtual)|parts.(?:data-table|table-place)/
const ADMIN = /pages.admin.[a-z-]+\.tsx?$/

// oxlint-disable-next-line import/no-default-export -- the form that vite reads
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['casework-source', 'module', 'browser', 'development|production'] },
  html: { cspNonce: NONCE_MARK },
  server: {
    proxy: Object.fromEntries(
      ['/beta', '/docs', '/openapi.json', '/readyz', '/metrics'].map((path) => [path, proxied]),
    ),
  },
  build: {
    target: 'es2023',
    // An inlined file would be a data: address, which the policy allows for images alone.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    // By itself the builder makes a file of each set of pages that share something: a page loaded 61
    // of them in the mean, 41 before its first word. With these groups it is 10, and 1 before its
    // first word, for 4 % fewer bytes (counted on 2026-11-28).
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 4 },
            {
              name: 'common',
              test: (id) => !TABLE.test(id) && !ADMIN.test(id),
              minShareCount: 10,
              priority: 3,
            },
            { name: 'table', test: TABLE, minShareCount: 2, priority: 2 },
            { name: 'admin', test: ADMIN, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
})
