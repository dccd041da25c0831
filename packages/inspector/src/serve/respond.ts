import type { Exchange } from '@hydra/gateway'

/** What every answer says: nobody else may embed, load or keep it. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** What the live page may do: run and load its own files, and ask its own server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Hydra</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="viewer.css">
</head>
<body>
<div id="app" data-live><noscript>This page needs its script to show what happens.</noscript></div>
<script type="module" src="viewer.js"></script>
</body>
</html>
`

/** The headers of an answer of the inspector. */
export function headersFor(type: string): Record<string, string> {
  return { ...HEADERS, 'content-type': type }
}

/** Answers with text of a type. */
export function sendText({ reply }: Exchange, type: string, text: string): void {
  reply.head(200, { ...headersFor(`${type}; charset=utf-8`), 'content-security-policy': POLICY })
  reply.end(text)
}

/** Answers with the page, which loads everything else. */
export function sendPage(exchange: Exchange): void {
  sendText(exchange, 'text/html', PAGE)
}

/** Answers with a JSON value. */
export function sendJson({ reply }: Exchange, value: unknown, status = 200): void {
  reply.head(status, headersFor('application/json'))
  reply.end(JSON.stringify(value))
}

/** Answers that something cannot be had, and why. */
export function sendProblem(exchange: Exchange, status: number, message: string): void {
  sendJson(exchange, { error: message }, status)
}
