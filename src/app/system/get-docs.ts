// GET /docs: the interactive reference. It works offline: page and script come from here, and its
// policy lets it reach nothing else.

import { Type } from 'typebox'
import { defineRoute, type Reply, type Route } from '../../kernel/http/route.ts'
import { loadDocsScript, loadPlainDocsScript } from './docs-script.ts'

// Addresses are relative, so that the page works behind a proxy that puts a prefix in front.
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Casework API reference</title>
  </head>
  <body>
    <noscript>The reference needs JavaScript; the document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
    <div id="app"></div>
    <script src="docs/reference.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

// Fonts, telemetry, the assistant and the hosted client would all send requests to other hosts.
// Scalar fills in the first value of each enumeration and sends it; a person chooses what is sent,
// so optional parameters begin without a value, and are not sent until they have one. Endpoints 1
// to 5 tell the reason of a failure in a body only to a client that asks for problem+json.
const START = `if (typeof Scalar === 'undefined') {
  document.body.textContent = 'This installation has no script for the reference (docs/reference.js says why). The document itself is at openapi.json.'
} else fetch('openapi.json')
  .then((answer) => answer.json())
  .then((content) => {
    for (const methods of Object.values(content.paths)) {
      for (const { parameters = [] } of Object.values(methods)) {
        for (const parameter of parameters) {
          if (!parameter.required) parameter.examples = { default: { value: '' } }
        }
      }
    }
    Scalar.createApiReference('#app', {
      content,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      onBeforeRequest: ({ requestBuilder }) =>
        requestBuilder.headers.set('accept', 'application/problem+json, application/json, */*'),
    })
  })
`

// The script makes style elements of its own, so styles may be inline; scripts may not.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

export function getDocsRoute(): Route {
  return defineRoute({
    ...publicPage('/docs', 'getDocs', 'Open the reference', 'text/html'),
    handle: () => ({
      status: 200,
      text: PAGE,
      contentType: 'text/html; charset=utf-8',
      headers: PAGE_HEADERS,
    }),
  })
}

export function getDocsStartRoute(): Route {
  return defineRoute({
    ...publicPage(
      '/docs/start.js',
      'getDocsStart',
      'Get the settings of the reference',
      'text/javascript',
    ),
    handle: () => ({ status: 200, text: START, contentType: SCRIPT_TYPE }),
  })
}

export function getDocsScriptRoute(): Route {
  return defineRoute({
    ...publicPage(
      '/docs/reference.js',
      'getDocsScript',
      'Get the script of the reference',
      'text/javascript',
    ),
    handle: ({ headers }) => answerScript(String(headers['accept-encoding'] ?? '')),
  })
}

async function answerScript(acceptEncoding: string): Promise<Reply> {
  const headers = { 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' }
  if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(acceptEncoding)) {
    return {
      status: 200,
      bytes: await loadDocsScript(),
      contentType: SCRIPT_TYPE,
      headers: { ...headers, 'content-encoding': 'gzip' },
    }
  }
  return { status: 200, bytes: await loadPlainDocsScript(), contentType: SCRIPT_TYPE, headers }
}

function publicPage(path: string, operationId: string, summary: string, contentType: string) {
  return {
    method: 'GET',
    path,
    group: 'system',
    access: { kind: 'public' },
    operationId,
    summary,
    description: 'A page to read and try out this interface, with what it loads. It works offline.',
    responses: {
      200: { description: 'A page for a browser.', schema: Type.String(), contentType },
    },
  } as const
}
