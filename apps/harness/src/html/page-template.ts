/** What goes into the page. All of it is ours or escaped. */
export interface PageParts {
  /** The content security policy. */
  readonly policy: string
  readonly styles: string
  /** The elements that hold the data. */
  readonly data: string
  readonly script: string
}

/** The page around styles, data and script; every text of a tape is put in by the script, as text. */
export function pageTemplate({ policy, styles, data, script }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Tapes</title>
<style>${styles}</style>
</head>
<body>
<header class="top">
  <h1>Tapes</h1>
  <ul class="legend" aria-label="Legend">
    <li><span class="swatch upstream"></span>upstream</li>
    <li><span class="swatch client"></span>client</li>
    <li><span class="mark clean" aria-hidden="true">●</span>clean</li>
    <li><span class="mark error" aria-hidden="true">▲</span>error</li>
    <li><span class="mark aborted" aria-hidden="true">■</span>aborted</li>
    <li><span class="mark interrupted" aria-hidden="true">◆</span>interrupted</li>
  </ul>
  <button type="button" id="show-keys">Keys <kbd>?</kbd></button>
</header>
<div class="columns">
  <nav aria-label="Sessions and exchanges">
    <label class="filter">Filter <input id="filter" type="search" autocomplete="off"></label>
    <p id="filter-count" class="muted" role="status"></p>
    <div id="list"></div>
  </nav>
  <main id="main" tabindex="-1"><noscript>This page needs its script to show the tapes.</noscript></main>
</div>
<dialog id="keys" aria-labelledby="keys-title">
  <h2 id="keys-title">Keys</h2>
  <dl>
    <dt><kbd>j</kbd> <kbd>→</kbd></dt><dd>next exchange</dd>
    <dt><kbd>k</kbd> <kbd>←</kbd></dt><dd>previous exchange</dd>
    <dt><kbd>↓</kbd> <kbd>↑</kbd></dt><dd>the same, while the list has the focus</dd>
    <dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>first and last exchange, while the list has the focus</dd>
    <dt><kbd>Enter</kbd></dt><dd>from the list to the exchange</dd>
    <dt><kbd>l</kbd></dt><dd>back to the list</dd>
    <dt><kbd>e</kbd></dt><dd>open or close all events on screen</dd>
    <dt><kbd>/</kbd></dt><dd>filter the list</dd>
    <dt><kbd>?</kbd></dt><dd>this help; <kbd>Esc</kbd> closes it</dd>
  </dl>
  <button type="button" id="hide-keys">Close</button>
</dialog>
${data}
<script type="module">${script}</script>
</body>
</html>
`
}
