import { clip } from '../escape.js'
import { type Html, html, outcomeMark, scrollingTable, unbrokenIds } from '../html/markup.js'
import { stillPage } from '../html/standalone-page.js'
import type { ChangeKind, ComparedRun, Comparison } from './comparison.js'
import {
  beforeOf,
  changesOf,
  comparisonHeadline,
  kinds,
  kindWords,
  nameOf,
  nowOf,
  reasonOf,
  scopeOf,
  unchangedGroups,
  withinNoiseInWords,
} from './comparison-words.js'

const longestText = 600

const group = (comparison: Comparison, kind: ChangeKind): Html | false => {
  const rows = changesOf(comparison, kind).map(
    (change) =>
      html`<tr><th scope="row">${nameOf(change)}</th><td>${beforeOf(change)}</td><td class="${kind}">${nowOf(change)}</td><td><span class="meaning">${change.sentence}</span>${reasonOf(change) !== '' && html`<span class="said">${clip(reasonOf(change), longestText)}</span>`}</td></tr>`,
  )
  return (
    rows.length > 0 &&
    html`<section aria-labelledby="${kind}"><h2 id="${kind}">${kindWords[kind]} <span class="count">${rows.length}</span></h2>
${scrollingTable(
  kindWords[kind],
  html`<table><thead><tr><th scope="col">What</th><th scope="col">Before</th><th scope="col">Now</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`,
)}</section>`
  )
}

const unchanged = (comparison: Comparison): Html =>
  html`${unchangedGroups(comparison).map(
    ({
      id,
      title,
      figures,
    }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="count">${figures.length}</span></h2>
${scrollingTable(
  title,
  html`<table><thead><tr><th scope="col">What</th><th scope="col">Before</th><th scope="col">Now</th><th scope="col">Meaning</th></tr></thead><tbody>${figures.map((each) => html`<tr><th scope="row">${nameOf(each)}</th><td>${beforeOf(each)}</td><td>${nowOf(each)}</td><td><span class="meaning">${each.sentence}</span></td></tr>`)}</tbody></table>`,
)}</section>`,
  )}`

const runRow = (role: string, run: ComparedRun): Html =>
  html`<tr><th scope="row">${role}</th><td>${run.id}</td><td>${run.target}</td><td>${clip(run.headline, longestText)}</td></tr>`

/** The comparison as a page that stands alone; with `all` it lists what did not change, too. */
export const renderComparisonHtml = (comparison: Comparison, version: string, all = false): string =>
  stillPage(
    `${comparison.regressed ? 'Worse' : 'No worse'}: ${comparison.scenario}`,
    version,
    html`<header class="verdict ${comparison.regressed ? 'fail' : 'pass'}">
<div class="verdict-line">${outcomeMark(comparison.regressed ? 'fail' : 'pass')}<div><p class="outcome">${comparison.regressed ? 'Worse' : 'No worse'}</p><h1>${unbrokenIds(clip(comparisonHeadline(comparison), longestText))}</h1></div></div>
<p class="quiet">${scopeOf(comparison)}. A figure counts as changed only beyond every baseline, and beyond both noise floors besides.</p>
</header>
${kinds.map((kind) => group(comparison, kind))}
${comparison.verdicts.length + comparison.figures.length === 0 && html`<p class="quiet">Nothing changed beyond noise.</p>`}
${all ? unchanged(comparison) : withinNoiseInWords(comparison) !== '' && html`<p class="quiet">${withinNoiseInWords(comparison)}</p>`}
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
${scrollingTable(
  'Runs',
  html`<table><thead><tr><th scope="col">Role</th><th scope="col">Run</th><th scope="col">Target</th><th scope="col">What it came to</th></tr></thead><tbody>${comparison.baselines.map((each) => runRow('Baseline', each))}${runRow('Run', comparison.run)}</tbody></table>`,
)}</section>`,
  )
