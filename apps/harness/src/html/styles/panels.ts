/** The parts of an exchange. */
export const PANELS: string = `
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.15rem;
  margin-bottom: 1rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .75rem 1.25rem;
  margin: 0 0 1.25rem; }
.facts dt { font-size: .8rem; color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.saying { border-left: 3px solid var(--line); padding: .1rem 0 .1rem .85rem; margin: .7rem 0; }
.saying.model { border-color: var(--upstream); } .saying.other { border-color: var(--client); }
.saying .who { font-size: .85rem; color: var(--muted); }
.saying .who strong { color: var(--text); font-weight: 600; }
.saying .text { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 80ch; }
.saying.thinking .text { color: var(--muted); font-style: italic; }
.saying.call .text, .saying.result .text {
  font: .82rem/1.45 ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace; }
.badge { font-size: .74rem; border-radius: 4px; padding: .05rem .4rem; background: var(--sunken); }
.badge.error { color: var(--bad); background: var(--bad-ground); }
.notes { margin: 0; padding-left: 1.1rem; } .notes li { margin: .2rem 0; overflow-wrap: anywhere; }
.more { margin-top: .6rem; font-size: .87rem; }
.timeline { margin-bottom: .5rem; }
.lane-row { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); align-items: center; margin-bottom: .35rem; }
.lane-name { font-size: .82rem; color: var(--muted); }
.lane { position: relative; height: 2.4rem; background: var(--sunken); border-radius: 4px; overflow: hidden; }
.bar { position: absolute; bottom: 0; width: max(3px, .42%); border-radius: 2px 2px 0 0; }
.lane.upstream .bar { background: var(--upstream); } .lane.client .bar { background: var(--client); }
.ticks { position: relative; height: .8rem; border-bottom: 1px solid var(--line); }
.tick { position: absolute; bottom: 0; width: 2px; height: 100%; background: var(--accent); margin-left: -1px; }
.axis { display: flex; justify-content: space-between; margin-left: 5.5rem; font-size: .78rem; color: var(--muted); }
.event-row { display: grid; grid-template-columns: 4.6rem minmax(0, 1fr) minmax(0, 1fr); gap: .25rem .75rem;
  padding: .3rem 0; border-top: 1px solid var(--line); align-items: start; }
.event-row.head { border-top: 0; color: var(--muted); font-size: .82rem; }
.when { font-size: .78rem; color: var(--muted); padding-top: .12rem; font-variant-numeric: tabular-nums; }
.event-row .side { display: grid; gap: .2rem; }
.fold summary { display: flex; flex-wrap: nowrap; align-items: baseline; gap: .35rem; cursor: pointer;
  border-radius: 5px; padding: .1rem .4rem; font-size: .82rem; list-style: none; }
.fold summary > .hint { min-width: 0; overflow-wrap: anywhere; }
.fold summary::-webkit-details-marker { display: none; }
.fold summary::before { content: '▸'; color: var(--muted); flex: none; width: .8em; }
.fold[open] > summary::before { content: '▾'; }
.upstream .fold summary { background: var(--upstream-ground); } .client .fold summary { background: var(--client-ground); }
.upstream .event-name { color: var(--upstream); } .client .event-name { color: var(--client); }
.event-name { font-weight: 600; overflow-wrap: anywhere; flex: none; max-width: 70%; }
.hint { color: var(--text); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 1rem 1.25rem; }
.pair .side { min-width: 0; }
.pair .fold { margin: .2rem 0; }
@media (max-width: 45rem) {
  .event-row { grid-template-columns: minmax(0, 1fr); }
  .event-row.head { display: none; }
}
`
