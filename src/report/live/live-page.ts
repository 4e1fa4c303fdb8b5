import { clip } from '../escape.js'
import { iconShapes } from '../formats/html/marks.js'
import { standalonePage } from '../formats/html/page/standalone-page.js'
import { Html, html } from '../formats/html/tag.js'
import { liveScript } from './live-script.js'
import { liveStyle } from './live-style.js'
import type { LiveParts } from './live-view.js'

/** The most that is shown of what is run against what. */
const longestSubject = 200

/** What a run is, as far as it is known before anything is sent. */
export interface LiveSubject {
  readonly scenario: string
  readonly target: string
  /** The contract that the target is held to, where it is no Petstore. */
  readonly contract: string | null
  readonly version: string
}

const navigation = html`<nav class="sections" aria-label="Sections"><div class="bar"><a class="brand" href="#top">quotaspec</a><ul>
<li><a href="#now">What it does now</a></li><li><a href="#so-far">So far</a></li><li><a href="#log">What has happened</a></li></ul></div></nav>`

const place = (name: keyof LiveParts, parts: LiveParts): Html =>
  html`<div data-part="${name}">${new Html(parts[name])}</div>`

/** The page of a run that goes on, as it stands. It asks for nothing but what changes, beside itself at `events`. */
export const renderLivePage = ({ scenario, target, contract, version }: LiveSubject, parts: LiveParts): string => {
  const subject = clip(`${scenario} against ${target}`, longestSubject)
  const held = contract === null ? '' : clip(`Held to ${contract}. `, longestSubject)
  const body = html`<a class="skip" href="#main">Skip to the run</a>
${iconShapes}
${navigation}
<main id="main" tabindex="-1">
<header class="verdict running"><p class="outcome">Running</p><h1>${subject}</h1>
<p class="standing" role="status" data-part="standing">${new Html(parts.standing)}</p>
${place('progress', parts)}
<p class="quiet">${held}The report takes the place of this page when the run is over.</p>
<p class="connection" role="alert"></p>
<noscript><p class="quiet">Without scripts, reload the page to see how far the run is.</p></noscript>
</header>
<section id="now" aria-labelledby="now-title"><h2 id="now-title">What it does now</h2>${place('lanes', parts)}</section>
<section id="so-far" aria-labelledby="so-far-title"><h2 id="so-far-title">So far</h2>${place('soFar', parts)}</section>
<section id="log" aria-labelledby="log-title"><h2 id="log-title">What has happened</h2>${place('log', parts)}</section>
</main>
<footer><p>Shown by quotaspec ${version} on this machine, to whoever has the address, for as long as the run goes on.</p></footer>`
  const title = `Running: ${subject}`
  return standalonePage({ title, style: liveStyle, script: liveScript, connects: true, body })
}
