/** What goes into the page. All of it is ours or escaped. */
export interface PageParts {
  /** The content security policy. */
  readonly policy: string
  readonly styles: string
  /** The elements that hold the data. */
  readonly data: string
  readonly script: string
}

/** The page in one file: styles, data and script are in it; every text of a tape is put in by the script, as text. */
export function pageTemplate({ policy, styles, data, script }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Hydra</title>
<style>${styles}</style>
</head>
<body>
<div id="app"><noscript>This page needs its script to show the sessions.</noscript></div>
${data}
<script type="module">${script}</script>
</body>
</html>
`
}
