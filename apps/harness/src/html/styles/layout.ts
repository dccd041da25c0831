/** The frame of the page: the head, the list, the room for an exchange. */
export const LAYOUT: string = `
* { box-sizing: border-box; }
html { font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; background: var(--ground); color: var(--text); }
body { margin: 0; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; font-weight: 600; }
h1 { font-size: 1.05rem; }
main h2 { font-size: 1.3rem; margin-bottom: 1rem; overflow-wrap: anywhere; }
h3 { font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--muted); margin-bottom: .75rem; }
h4 { font-size: .95rem; }
p { margin: .25rem 0 .5rem; overflow-wrap: anywhere; }
.muted { color: var(--muted); font-size: .87rem; }
.alert { color: var(--bad); background: var(--bad-ground); border-radius: 6px; padding: .4rem .65rem; }
code, pre, kbd, .hint, .when, .event-name { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace; }
code { font-size: .85em; overflow-wrap: anywhere; }
pre { margin: .35rem 0 0; padding: .6rem .7rem; font-size: .8rem; line-height: 1.45; white-space: pre-wrap;
  overflow-wrap: anywhere; background: var(--sunken); border-radius: 6px; max-height: 32rem; overflow: auto; }
kbd { font-size: .8em; border: 1px solid var(--line); border-radius: 4px; padding: 0 .35em; background: var(--sunken); }
button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: .25rem .65rem; cursor: pointer; }
button:hover { border-color: var(--muted); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding: .55rem 1.25rem;
  background: var(--panel); border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 2; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 auto 0 0; padding: 0; list-style: none;
  font-size: .82rem; color: var(--muted); }
.legend li { display: flex; align-items: center; gap: .35rem; }
.swatch { width: .8rem; height: .8rem; border-radius: 3px; display: inline-block; }
.swatch.upstream { background: var(--upstream); } .swatch.client { background: var(--client); }
.mark.clean { color: var(--good); } .mark.error, .mark.aborted, .mark.interrupted { color: var(--bad); }
.columns { display: grid; grid-template-columns: 21rem minmax(0, 1fr); align-items: start; }
nav { position: sticky; top: 3rem; height: calc(100vh - 3rem); overflow-y: auto; padding: 1rem .75rem 2rem 1.25rem;
  border-right: 1px solid var(--line); }
main { padding: 1.25rem 1.75rem 4rem; max-width: 92rem; }
.filter { display: flex; align-items: center; gap: .5rem; font-size: .87rem; color: var(--muted); }
.filter input { flex: 1; min-width: 0; font: inherit; color: var(--text); background: var(--panel);
  border: 1px solid var(--line); border-radius: 6px; padding: .25rem .5rem; }
.session { margin-top: 1.1rem; }
.session h2 { font-size: .98rem; overflow-wrap: anywhere; }
.session ol { list-style: none; margin: .4rem 0 0; padding: 0; }
.session li { content-visibility: auto; contain-intrinsic-size: auto 3.2rem; padding: 2px; }
.entry { width: 100%; display: grid; grid-template-columns: 1rem 2.1rem minmax(0, 1fr); column-gap: .3rem;
  align-items: baseline; text-align: left; border-color: transparent; background: none; padding: .3rem .4rem; }
.entry:focus-visible { outline-offset: -2px; }
.entry .mark { font-size: .7rem; }
.entry .number { color: var(--muted); font-variant-numeric: tabular-nums; text-align: right; padding-right: .35rem; }
.entry .title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.entry .meta { grid-column: 3; font-size: .8rem; color: var(--muted); }
.entry[aria-current] { background: var(--accent-ground); border-color: var(--accent); }
dialog { color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 10px;
  padding: 1.25rem 1.5rem; max-width: 32rem; }
dialog::backdrop { background: rgb(0 0 0 / .45); }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: .35rem 1.25rem; margin: 1rem 0; }
dialog dd { margin: 0; }
[hidden] { display: none !important; }
@media (max-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.25rem 1rem 3rem; }
}
`
