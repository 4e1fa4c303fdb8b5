import { iconShapes } from '../marks.js'
import { type Html, html } from '../tag.js'
import { pageFooter, standalonePage } from './standalone-page.js'
import { pageStyle } from './style.js'

const morePageStyle = `
main > header:first-child { margin: 2rem 0 1.4rem; }
main > header.verdict:first-child { margin: 1.5rem 0 0; }
header .quiet { margin-top: .6rem; }
.plan > h2 { margin: 0 0 .2rem; }
.plan > h3 { margin: 1.4rem 0 .2rem; font-size: 1.02rem; text-transform: none; }
.outcome-mark { color: var(--tone); }
.runs { display: flex; flex-wrap: wrap; gap: .3rem; list-style: none; padding: 0; margin: .5rem 0 1rem; }
.runs a { display: block; color: var(--tone); line-height: 0; }
.runs .icon { width: 1.15rem; height: 1.15rem; }
.spark { display: block; width: 11rem; height: 2.2rem; overflow: visible; }
.spark path { fill: none; stroke: var(--tone-admitted); stroke-width: 1.6; stroke-linejoin: round; }
.spark circle { fill: var(--tone-admitted); }
td.worse { color: var(--fail); font-weight: 580; } td.better { color: var(--pass); font-weight: 580; }
td .said { margin-top: .15rem; }
.meaning { display: block; }
.meaning, th .said { min-width: 12rem; }
`

const style = `${pageStyle}${morePageStyle}`

/** A page in the report's style that stands alone and has no script at all. */
export const stillPage = (title: string, version: string, content: Html): string =>
  standalonePage({
    title,
    style,
    body: html`${iconShapes}
<main id="main" tabindex="-1">
${content}
</main>
${pageFooter(version)}`,
  })
