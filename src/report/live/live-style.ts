import { pageStyle } from '../formats/html/page/style.js'

const morePageStyle = `
.verdict.running { --tone: var(--observed); }
.running progress { width: 100%; height: .5rem; display: block; margin-top: .35rem; accent-color: var(--tone-admitted); }
.running progress + * { margin-top: .8rem; }
.running div + .quiet { margin-top: .9rem; }
.running .subject b { font-variant-numeric: tabular-nums; }
.standing { margin-top: .5rem; font-weight: 550; }
.standing .badge { font-size: 1rem; white-space: normal; }
.connection { margin-top: .8rem; padding: .6rem .9rem; background: var(--inconclusive-wash); border-radius: 8px; }
.connection:empty { display: none; }
.lanes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: .9rem; list-style: none; padding: 0; margin: 0 0 1rem; }
.lane { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .9rem 1.1rem; min-height: 9.4rem; }
.lane p { margin-top: .3rem; }
.lane b { font-variant-numeric: tabular-nums; }
.worse { color: var(--fail); font-weight: 580; }
.rules-so-far { list-style: none; padding: 0 1rem .6rem; }
.rule-so-far { display: grid; grid-template-columns: 7.2rem minmax(0, 1fr) auto; gap: .2rem .8rem; align-items: baseline; padding: .4rem 0; border-top: 1px solid var(--line); font-size: .92rem; }
@media (max-width: 46rem) { .rule-so-far { grid-template-columns: minmax(0, 1fr) auto; } .rule-so-far > :nth-child(2) { grid-column: 1 / -1; grid-row: 2; } }
`

/** The report's own style, and what only a run that goes on needs. */
export const liveStyle = `${pageStyle}${morePageStyle}`
