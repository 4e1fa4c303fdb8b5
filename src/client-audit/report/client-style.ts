/** What a client's page adds to the style that all pages share. */
export const clientStyle = `
.chart h3 { margin: 0 0 .15rem; font-size: .92rem; }
.grade { flex: none; width: 4.2rem; height: 4.2rem; border-radius: 12px; display: grid; place-items: center; font-size: 2.4rem; font-weight: 700; color: var(--card); background: var(--tone); }
.grade.span { font-size: 1.2rem; }
.reasons { list-style: none; padding: 0; display: grid; gap: .7rem; }
.reasons li { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: 10px; padding: .8rem 1rem; }
.reasons .at-best { font-weight: 650; margin-right: .5rem; }
.advice { margin-top: .3rem; color: var(--quiet); }
.verdict .note { margin: .5rem 0 0; }
.reasons .also { margin: .45rem 0 0; }
.reasons ~ p, .reasons ~ .command { margin-top: .9rem; }
.fail-text { color: var(--fail); }
.closed { stroke: var(--line); stroke-width: 14; }
.served-mark { fill: var(--tone-admitted); }
.refused-mark { fill: var(--tone-refused); }
.early-mark { stroke: var(--fail); stroke-width: 2.4; }
.watch-end { stroke: var(--ink); stroke-width: 2; }
.wait-mark { fill: var(--tone-admitted); fill-opacity: .7; }
.guide { stroke: var(--quiet); stroke-width: 1.5; }
.guide.stayed { stroke-dasharray: 6 5; }
.grid.strong { stroke: var(--quiet); }
.chart .still { max-width: 52rem; }
.clause-level { display: none; color: var(--quiet); font-weight: 400; }
@media (max-width: 46rem) {
  .tick { font-size: 21px; }
  .served-mark, .refused-mark, .wait-mark { r: 6px; }
  .early-mark { stroke-width: 4; }
  .clauses .level { display: none; }
  .clause-level { display: block; }
  .clauses { font-size: .84rem; }
  .clauses td, .clauses th { padding-left: .4rem; padding-right: .4rem; }
  .clauses thead th { white-space: normal; }
  .clauses tbody th { white-space: nowrap; }
}
.key { display: inline-block; width: .7rem; height: .7rem; border-radius: 50%; background: var(--swatch); }
.key.span { width: 1.6rem; border-radius: 3px; background: var(--line); }
.key.early { background: none; color: var(--fail); font-weight: 700; line-height: .7rem; }
`
