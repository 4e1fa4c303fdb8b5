const light = `
--page: #f6f7f9; --card: #ffffff; --sunk: #f2f4f7; --ink: #16202e; --quiet: #52606f; --line: #d9dfe7; --grid: #e6eaf0;
--link: #1d4ed8; --focus: #1d4ed8; --mark: #fff0b8; --mark-ink: #4a3300;
--pass: #117a43; --fail: #bd1e2c; --inconclusive: #8f5a00; --observed: #33597f; --not-tested: #5b6775; --warning: #a04a00;
--pass-wash: #eaf6ef; --fail-wash: #fdf0f1; --inconclusive-wash: #fdf5e4;
--tone-admitted: #2563c9; --tone-refused: #d9660f; --tone-unknown: #6b7280; --tone-limit: #16202e; --tone-over: #bd1e2c; --tone-log: #0b7a75; --tone-bucket: #8b3fb0; --tone-windows: #7a6a00;
--moment-reset: #52606f; --moment-retry: #52606f; --moment-witness: #bd1e2c;`

const dark = `
--page: #0e131a; --card: #161d27; --sunk: #10161f; --ink: #e7ecf3; --quiet: #9fadbd; --line: #2b3644; --grid: #232d3a;
--link: #8ab4ff; --focus: #8ab4ff; --mark: #4d3d0a; --mark-ink: #ffe9a6;
--pass: #4cc585; --fail: #ff8a8f; --inconclusive: #f0b849; --observed: #8fbbe8; --not-tested: #9fadbd; --warning: #ffa55c;
--pass-wash: #12281d; --fail-wash: #321a1f; --inconclusive-wash: #2e2612;
--tone-admitted: #6ea8ff; --tone-refused: #ff9c4a; --tone-unknown: #9aa5b3; --tone-limit: #e7ecf3; --tone-over: #ff8a8f; --tone-log: #3fc9c0; --tone-bucket: #cf94f0; --tone-windows: #d9c74a;
--moment-reset: #9fadbd; --moment-retry: #9fadbd; --moment-witness: #ff8a8f;`

const ground = `
:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main, footer, .bar { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
main:focus { outline: none; }
h1, h2, h3, h4, p, dl, dd, ol, ul, figure { margin: 0; }
h1 { font-size: clamp(1.3rem, 1rem + 1.6vw, 1.85rem); line-height: 1.25; font-weight: 650; letter-spacing: -.012em; text-wrap: balance; }
h2 { font-size: 1.25rem; font-weight: 650; letter-spacing: -.008em; margin: 3rem 0 .9rem; }
h3 { font-size: 1.02rem; font-weight: 620; }
h4 { font-size: .92rem; font-weight: 620; margin: 1.25rem 0 .4rem; }
.side { font-size: .8rem; color: var(--quiet); margin-bottom: .3rem; }
a { color: var(--link); text-underline-offset: .18em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .86em; }
pre code { font-size: inherit; }
body { overflow-wrap: anywhere; }
[hidden] { display: none !important; }
.shapes { position: absolute; width: 0; height: 0; }
.cut { fill: none; stroke: var(--card); stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
.cut-dot { fill: var(--card); }
.quiet, .how { color: var(--quiet); font-size: .9rem; }
.count { color: var(--quiet); font-weight: 450; font-variant-numeric: tabular-nums; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 3; background: var(--card); padding: .5rem .8rem; }
.sections { position: sticky; top: 0; z-index: 2; background: var(--card); border-bottom: 1px solid var(--line); }
.bar { display: flex; align-items: center; gap: 1.4rem; }
.brand { flex: none; white-space: nowrap; font-weight: 680; color: var(--ink); text-decoration: none; padding: .75rem 0; }
.bar ul { display: flex; gap: .2rem; list-style: none; padding: 0; overflow-x: auto; scrollbar-width: none; }
.bar li a { display: block; padding: .78rem .6rem; color: var(--quiet); text-decoration: none; white-space: nowrap; font-size: .9rem; }
.bar li a:hover { color: var(--ink); }
.bar :focus-visible { outline-offset: -3px; }
footer { padding: 3rem 1.25rem 2.5rem; color: var(--quiet); font-size: .85rem; }
.icon { width: 1.15em; height: 1.15em; flex: none; align-self: center; }
.for-readers { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.badge { display: inline-flex; align-items: baseline; gap: .4em; font-size: .84rem; font-weight: 580; white-space: nowrap; }
.pass { --tone: var(--pass); } .fail { --tone: var(--fail); } .inconclusive { --tone: var(--inconclusive); }
.observed { --tone: var(--observed); } .not-tested { --tone: var(--not-tested); } .warning { --tone: var(--warning); } .waived { --tone: var(--not-tested); }
.badge { color: var(--tone); }
`

const opening = `
.verdict { margin-top: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; }
.verdict-line { display: flex; gap: 1rem; align-items: flex-start; }
.outcome-mark { width: 2.9rem; height: 2.9rem; flex: none; color: var(--tone); margin-top: .15rem; }
.outcome { color: var(--tone); font-weight: 680; font-size: .95rem; }
.rerun, .time-scale { margin-top: .5rem; font-weight: 550; }
.subject { margin-top: 1rem; color: var(--quiet); font-size: .95rem; }
.subject b { font-weight: 600; color: var(--ink); }
.about { margin-top: .8rem; }
.plan-row { display: grid; grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); gap: .9rem; list-style: none; padding: 0; margin: 1rem 0 0; }
.plan-row li { display: flex; }
.plan-card { flex: 1; display: grid; grid-template-columns: auto minmax(0, 1fr); column-gap: .9rem; align-content: start; padding: 1rem 1.1rem; background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: 12px; color: var(--ink); text-decoration: none; }
.plan-card:hover { border-color: var(--tone); }
.plan-card > span { grid-column: 2; }
.large-mark { width: 2.9rem; height: 2.9rem; color: var(--tone); grid-row: 1 / span 2; align-self: center; }
.plan-card.but .plan-word { color: inherit; }
.plan-card .plan-but { grid-column: 1 / -1; color: var(--fail); font-weight: 620; margin-top: .3rem; }
.plan-name { font-weight: 650; font-size: 1.08rem; }
.plan-word { color: var(--tone); font-weight: 620; }
.plan-card .plan-waived { font-size: .9rem; }
.plan-card .plan-limit { grid-column: 1 / -1; margin-top: .6rem; font-size: .9rem; font-variant-numeric: tabular-nums; }
.plan-card .plan-detail { grid-column: 1 / -1; color: var(--quiet); font-size: .87rem; font-variant-numeric: tabular-nums; }
.plan-card.fail .plan-detail { color: var(--ink); font-weight: 600; }
.plan-card.but .plan-detail { color: var(--quiet); font-weight: 400; }
.nothing-failed { margin-top: 1.2rem; color: var(--quiet); font-size: .92rem; }
.gates { list-style: none; padding: 0; margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.gates li { display: grid; grid-template-columns: 7.4rem minmax(0, 1fr) minmax(7rem, auto) minmax(6rem, auto); gap: .2rem 1rem; padding: .6rem 1rem; align-items: baseline; }
.gates li + li { border-top: 1px solid var(--line); }
.gate-value { font-variant-numeric: tabular-nums; text-align: right; }
.gate-value .quiet { font-size: .8rem; margin-right: .25rem; }
.fold { margin-top: .8rem; font-size: .92rem; }
.fold > summary { cursor: pointer; color: var(--link); width: fit-content; }
.fold > :not(summary) { margin-top: .5rem; }
.folded { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-top: .6rem; }
.folded > summary, .area > summary { display: flex; gap: .2rem 1rem; align-items: baseline; flex-wrap: wrap; padding: .7rem 1rem; cursor: pointer; list-style: none; }
.folded > summary h2, .folded > summary h3, .area > summary h3 { margin: 0; font-size: 1.02rem; }
.folded > summary:hover, .area > summary:hover { background: var(--sunk); border-radius: 10px; }
.folded > summary::-webkit-details-marker, .area > summary::-webkit-details-marker { display: none; }
.folded-body { padding: 0 1.1rem 1.1rem; }
.folded .said { color: var(--quiet); font-size: .9rem; }
.plan-said { color: var(--quiet); font-size: .92rem; }
.plan-said .plan-but { color: var(--fail); font-weight: 600; }
.plan-untried { display: block; font-size: .87rem; }
.plan-said b { color: var(--ink); font-weight: 600; }
.area-counts { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin-left: auto; font-size: .84rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.steps { padding-left: 1.3rem; }
.steps li { margin-top: .6rem; }
.steps p { margin-bottom: .3rem; }
.follows { margin-top: .9rem; }
.rule { margin-top: .7rem; color: var(--quiet); font-size: .93rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: .8rem 1.4rem; margin: 1.4rem 0 1.2rem; }
.facts dt, .tile dt, .finding-facts dt { font-size: .8rem; color: var(--quiet); }
.facts dd { font-variant-numeric: tabular-nums; }
.command { display: flex; align-items: stretch; border: 1px solid var(--line); border-radius: 8px; background: var(--sunk); overflow: hidden; }
.command pre { margin: 0; padding: .62rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; flex: 1; min-width: 0; }
.command :focus-visible { outline-offset: -2px; }
button { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .4rem .85rem; cursor: pointer; }
button:hover { border-color: var(--quiet); }
.copy { border: 0; border-left: 1px solid var(--line); border-radius: 0; font-size: .86rem; min-width: 5.2rem; }
.tiles { display: flex; flex-wrap: wrap; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; margin-top: 1rem; }
.tile { flex: 1 1 22%; background: var(--card); padding: .9rem 1rem; }
.tile strong { display: block; font-size: 1.4rem; line-height: 1.3; font-weight: 620; font-variant-numeric: tabular-nums; letter-spacing: -.015em; color: var(--tone, var(--ink)); }
.tile span { font-size: .82rem; color: var(--quiet); }
.tile.pass { --tone: var(--ink); }
.notice { background: var(--fail-wash); border: 1px solid var(--fail); border-radius: 12px; padding: 1.1rem 1.25rem; margin-top: 1rem; }
.notice h2 { font-size: 1.02rem; margin: 0; }
.restore-line { margin: .6rem 0 .3rem; font-size: .9rem; }
th, td { overflow-wrap: break-word; }
td .said { min-width: 12rem; }
.figures thead th, .dense thead th { white-space: normal; }
.dense th, .dense td { padding-left: .55rem; padding-right: .55rem; }
.gate-id { min-width: 9rem; overflow-wrap: anywhere; display: block; font-weight: 400; color: var(--quiet); }
.quoted > * { font-weight: 650; }
.quoted .gate-id { font-weight: 400; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: .6rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .55rem .9rem; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
thead th { color: var(--quiet); font-size: .82rem; font-weight: 550; white-space: nowrap; }
tbody tr:last-child > *, tfoot tr > * { border-bottom: 0; }
tbody tr:last-child > * { border-bottom: 0; }
tfoot tr > * { border-top: 1px solid var(--line); font-weight: 600; }
.number, .figures td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
`

const evidence = `
.finding { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.4rem; margin-bottom: 1rem; }
.finding-head { display: flex; flex-direction: column; gap: .3rem; }
.promise { font-weight: 450; }
.expected { margin-top: .5rem; color: var(--quiet); }
.seen { margin-top: .8rem; padding: .75rem 1rem; background: var(--fail-wash); border-radius: 8px; font-weight: 500; }
.seen + .quiet { margin-top: .6rem; }
.finding.inconclusive .seen { background: var(--inconclusive-wash); }
#warnings .seen { background: var(--inconclusive-wash); }
.finding-facts { display: flex; flex-wrap: wrap; gap: .5rem 1.8rem; margin-top: .9rem; font-size: .92rem; }
.exchange { border: 1px solid var(--line); border-radius: 10px; margin: .5rem 0; background: var(--card); }
.exchange > summary { display: flex; gap: .8rem; padding: .6rem .9rem; cursor: pointer; align-items: baseline; font-size: .9rem; list-style: none; }
.exchange > summary::-webkit-details-marker, .clause > summary::-webkit-details-marker { display: none; }
.exchange > summary::before, .clause > summary::before, .folded > summary::before, .area > summary::before { content: ""; flex: none; width: .42em; height: .42em; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: translateY(-.15em) rotate(-45deg); }
.exchange[open] > summary::before, .clause[open] > summary::before, .folded[open] > summary::before, .area[open] > summary::before { transform: translateY(-.25em) rotate(45deg); }
.exchange-id { color: var(--quiet); font-size: .78rem; white-space: nowrap; max-width: 40%; overflow: hidden; text-overflow: ellipsis; }
.id { white-space: nowrap; }
.exchange-line { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet); }
.status { font-variant-numeric: tabular-nums; font-weight: 600; }
.exchange > :not(summary) { margin-left: .9rem; margin-right: .9rem; }
.exchange > :last-child { margin-bottom: .9rem; }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: .9rem; margin-top: .6rem; margin-bottom: .9rem; }
.sides pre { margin: 0; padding: .7rem .85rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; }
.header-name { color: var(--quiet); }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 3px; padding: .08em .2em; margin: 0 -.2em; font-weight: 600; }
mark .header-name { color: inherit; }
`

const list = `
.filters { display: flex; flex-wrap: wrap; gap: .9rem 1.1rem; align-items: end; background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.1rem; margin-bottom: 1.2rem; }
.picker { display: flex; flex-direction: column; gap: .25rem; font-size: .8rem; color: var(--quiet); min-width: 9rem; }
.picker.search { flex: 1 1 14rem; }
.filters input[type=search], .filters select { font: inherit; font-size: .92rem; color: var(--ink); background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; padding: .42rem .6rem; width: 100%; min-height: 2.4rem; }
.filters ::placeholder { color: var(--quiet); opacity: 1; }
.chips { border: 0; padding: 0; margin: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: .4rem; }
.chips legend { font-size: .8rem; color: var(--quiet); padding: 0; margin-bottom: .3rem; }
.chips label { position: relative; cursor: pointer; }
.chips input { position: absolute; inset: 0; opacity: 0; margin: 0; width: 100%; height: 100%; cursor: pointer; }
.chips span { white-space: nowrap; }
.chips label > span { display: block; border: 1px solid var(--line); border-radius: 99px; padding: .26rem .8rem; font-size: .87rem; background: var(--sunk); }
.chips input:checked + span { background: var(--ink); border-color: var(--ink); color: var(--card); }
.chips input:checked + span .count { color: inherit; }
.chips input:focus-visible + span { outline: 2px solid var(--focus); outline-offset: 2px; }
.filters-foot { display: flex; gap: 1rem; align-items: center; justify-content: space-between; flex: 1 1 12rem; }
.shown { color: var(--quiet); font-size: .88rem; }
.area { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin-top: .6rem; }
.clause { border-top: 1px solid var(--line); }
.area > .clause:last-child > summary { border-radius: 0 0 10px 10px; }
.clause > summary { display: grid; grid-template-columns: .6rem 7.2rem minmax(0, 1fr) 4.6rem 7.4rem; gap: .2rem .8rem; align-items: baseline; padding: .62rem 1rem; cursor: pointer; list-style: none; }
.clause > summary:hover { background: var(--sunk); }
.clause > summary:focus-visible { outline-offset: -2px; }
.clause:target { box-shadow: inset 3px 0 var(--focus); }
.clause-id { font-weight: 600; font-size: .9rem; font-variant-numeric: tabular-nums; }
.said { display: block; color: var(--quiet); font-size: .89rem; }
.level { font-size: .84rem; color: var(--quiet); }
.level.must { font-weight: 620; color: var(--ink); }
.clause-body { padding: .2rem 1rem 1rem 2.4rem; }
.check { border-left: 2px solid var(--line); padding: .1rem 0 .1rem .9rem; margin-top: .8rem; }
.check:target { border-color: var(--focus); }
.check-head { display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
.check-id { color: inherit; }
`

const panels = `
div.plan, section.plan { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.3rem 1.4rem; margin-bottom: 1.2rem; }
.plan > h3 { font-size: 1.12rem; }
.plan > h3::first-letter { text-transform: uppercase; }
.plan .scroll { background: none; }
.quota p { margin: .3rem 0; }
.limiter, .told { font-weight: 550; }
p.told { margin: .5rem 0; }
.how-known table { color: var(--quiet); }
.chart { margin-top: 1.8rem; }
p.told + .chart { margin-top: 1rem; }
.chart h4 { margin: 0 0 .15rem; }
.how { max-width: 68ch; }
.plot { margin-top: .7rem; min-width: 0; overflow: hidden; }
.plot.live .still-holder { display: none; }
.still { display: block; width: 100%; height: auto; }
.still path { fill: none; }
.grid { stroke: var(--grid); }
.label { fill: var(--tone-over); font-size: 13px; font-weight: 600; font-family: inherit; } .label-point { fill: var(--tone-over); }
.tick { fill: var(--quiet); font-size: 12px; font-family: inherit; }
.still .line { stroke-width: 1.5; } .still .steps { stroke-width: 2.5; } .still .bars { stroke-width: 5; }
.still .dots { stroke-width: 4; stroke-linecap: round; }
.still .dashed { stroke-dasharray: 6 5; }
.still .moment { stroke-width: 1; }
.still .reset { stroke: var(--moment-reset); stroke-dasharray: 7 4; }
.still .retry { stroke: var(--moment-retry); stroke-dasharray: 2 4; }
.still .witness { stroke: var(--moment-witness); stroke-width: 2; }
${['admitted', 'refused', 'unknown', 'limit', 'over', 'log', 'bucket', 'windows']
  .map((tone) => `.tone-${tone} { stroke: var(--tone-${tone}); --swatch: var(--tone-${tone}); }`)
  .join('\n')}
.readout { font-size: .82rem; color: var(--quiet); min-height: 1.5em; font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.2rem; list-style: none; padding: 0; margin: .4rem 0; font-size: .85rem; }
.legend li { display: flex; gap: .5rem; align-items: center; }
.swatch { flex: none; width: 1.3rem; height: 0; border-top: 2px solid var(--swatch); }
.swatch.steps { border-top-width: 4px; } .swatch.dashed { border-top-style: dashed; }
.swatch.bars { height: .8rem; width: .8rem; border: 0; background: var(--swatch); border-radius: 2px; }
.swatch.dots { height: .5rem; width: .5rem; border: 0; background: var(--swatch); border-radius: 50%; margin: 0 .4rem; }
.swatch.moment { width: 0; height: 1rem; border-top: 0; margin: 0 .6rem; }
.swatch.reset { border-left: 1.5px dashed var(--moment-reset); } .swatch.retry { border-left: 1.5px dotted var(--moment-retry); }
.swatch.witness { border-left: 2.5px solid var(--moment-witness); }
.behind { margin-top: .3rem; font-size: .9rem; }
.behind > summary { cursor: pointer; color: var(--link); width: fit-content; }
.behind .scroll { max-height: 22rem; overflow-y: auto; }
.notes { list-style: none; padding: 0; }
.notes li { display: flex; gap: 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
.story { margin: .3rem 0 .8rem; }
.story .at { width: 6.5rem; }
.counted { font-weight: 550; margin-top: .8rem; }
.notes .at { flex: none; width: 5.5rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
`

const conditions = `
@media (max-width: 46rem) {
  main, footer, .bar { padding-left: .9rem; padding-right: .9rem; }
  .verdict, .finding, div.plan { padding: 1.1rem 1rem; }
  .plan-row { grid-template-columns: minmax(0, 1fr); gap: .6rem; }
  .gates li { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .gates .gate-what { grid-column: 1 / -1; }
  .gates li > .badge { grid-column: 1 / -1; }
  .gate-value { text-align: left; }
  .area-counts { margin-left: 0; }
  .outcome-mark { width: 2.1rem; height: 2.1rem; }
  .tile { flex-basis: 40%; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .facts div:first-child { grid-column: span 2; }
  .picker { flex: 1 1 100%; }
  .sides { grid-template-columns: minmax(0, 1fr); }
  .clause > summary { grid-template-columns: .6rem minmax(0, 1fr) auto; }
  .clause > summary .clause-id { grid-column: 2; }
  .clause > summary .badge { grid-column: 3; grid-row: 1; }
  .clause > summary .clause-text { grid-column: 2 / -1; }
  .clause > summary .level { grid-column: 2; }
  .clause-body { padding-left: 1rem; }
  th, td { padding: .5rem .65rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { color-scheme: light; ${light} --page: #fff; }
  body { font-size: 10.5pt; }
  .sections, .filters, .copy, .readout, .skip { display: none !important; }
  .exchange, .chart, .clause, .tile, .plan-card, .gates li, tr { break-inside: avoid; }
  .plan-row { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .4rem; }
  .gates li { grid-template-columns: 6rem minmax(0, 1fr) auto auto; }
  .sides { max-height: none; }
  h2, h3, h4 { break-after: avoid; }
  .command pre, .sides pre { white-space: pre-wrap; max-height: none; overflow: visible; }
  .scroll { overflow: visible; }
  /* Paper does not scroll: the widest table has to fit. */
  table { font-size: 7.5pt; } th, td, .dense th, .dense td { padding: .25rem .35rem; }
  thead th, thead th.number { font-size: inherit; white-space: normal; }
  .gate-id, td .said { min-width: 0; }
  .behind:not([open]) { display: none; }
  .plot .uplot { display: none; }
  .plot.live .still-holder { display: block; }
}
`

/** The page's own style: light and dark, 360 to 1,920 pixels, print. Every colour is a variable, which the charts read too. */
export const pageStyle: string = [ground, opening, evidence, list, panels, conditions].join('')
