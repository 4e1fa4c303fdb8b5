import { spawn } from 'node:child_process'
import { setTimeout as after } from 'node:timers/promises'
import { targetOf } from '../../assembly/build-report.js'
import { type Clock, systemClock } from '../../kit/clock.js'
import { aborted } from '../../kit/deadline.js'
import { whyOf } from '../../kit/usage-error.js'
import { counted } from '../../kit/words.js'
import { clip } from '../../report/escape.js'
import { Html, html, scriptFile, scrollingTable, standalonePage, styleFile } from '../../report/html/markup.js'
import { renderHtml } from '../../report/html/page.js'
import type { Report } from '../../report/model.js'
import { subjectOf } from '../../report/quotas.js'
import type { PreparedRun } from '../../run/options/prepare-run.js'
import { toolVersion } from '../../run/package.js'
import type { Progress } from '../../run/playing/progress.js'
import { untilInterrupted } from '../output/interruption.js'
import { createToldRun, type Foreseen, isNews, lineOf } from '../output/progress.js'
import { type LiveParts, openLiveServer } from './live-server.js'

/** The most characters of a name and of a line, and the most lines; the report has the rest. */
const longestName = 80
const longestLine = 400
const mostLines = 40

const bar = (label: string, value: number, most: number): Html =>
  html`<progress aria-label="${label}" max="${Math.max(1, most)}" value="${Math.min(value, most)}"></progress>`

const classes = { dim: html` class="quiet"`, yellow: html` class="worse"` }

const table = (what: string, rows: ReturnType<ReturnType<typeof createToldRun>['keys']>): Html => {
  const cells = rows.map(
    ([name, text, style]) =>
      html`<tr><th scope="row">${clip(name, longestName)}</th><td${style !== null && classes[style]}>${clip(text, longestLine)}</td></tr>`,
  )
  return scrollingTable(
    `${what}s`,
    html`<table><thead><tr><th scope="col">${what}</th><th scope="col">What it does</th></tr></thead><tbody>${cells}</tbody></table>`,
  )
}

const log = (lines: readonly Html[]): Html => {
  const left = lines.length - mostLines
  return html`<ul class="notes">${lines.slice(-mostLines).reverse()}</ul>${left > 0 && html`<p class="quiet">${counted(left, 'earlier line')}: in the report, when the run is over.</p>`}`
}

/** A run's state for its page: progress, what each key does or waits for, and what has happened. */
export const createShownProgress = (foreseen: Foreseen, clock: Pick<Clock, 'monotonicMs' | 'wallMs'>) => {
  const run = createToldRun(foreseen, clock)
  const lines: Html[] = []
  return {
    add(event: Progress): void {
      run.add(event)
      const text = lineOf(event)
      if (text === undefined) return
      const at = `${(event.at / 1000).toFixed(1)} s`
      lines.push(
        html`<li><span class="at">${at}</span><span${isNews(event) && classes.yellow}>${clip(text, longestLine)}</span></li>`,
      )
    },
    parts(): LiveParts {
      const { sent, ms } = run.reached()
      const [keys, agents] = [run.keys(), run.agents()]
      const progress = html`<p class="subject">${run.total()}</p>
${bar('Time', ms, foreseen.durationMs)}${bar('Requests', sent, foreseen.requests)}`
      const lanes = html`${keys.length > 0 ? table('Key', keys) : html`<p class="quiet">Nothing has begun yet.</p>`}${agents.length > 0 && table('Agent', agents)}`
      return { progress: progress.markup, lanes: lanes.markup, log: log(lines).markup }
    },
  }
}

const style = styleFile('cli/run/live-page.css')
const script = scriptFile('cli/run/live-script.js')
/** The most characters of the page's subject: scenario and target. */
const longestSubject = 200

const navigation = html`<nav class="sections" aria-label="Sections"><div class="bar"><a class="brand" href="#top">quotaspec</a><ul>
<li><a href="#now">What it does now</a></li><li><a href="#log">What has happened</a></li></ul></div></nav>`

const place = (name: keyof LiveParts, parts: LiveParts): Html =>
  html`<div data-part="${name}">${new Html(parts[name])}</div>`

/** The page of a running run. It requests nothing but changes, from `events` next to itself. */
export const renderLivePage = (
  { scenario, target, contract, version }: Readonly<Record<'scenario' | 'target' | 'contract' | 'version', string>>,
  parts: LiveParts,
): string => {
  const subject = clip(`${scenario} against ${target}`, longestSubject)
  const main = html`<header class="verdict running"><p class="outcome">Running</p><h1>${subject}</h1>
${place('progress', parts)}
<p class="quiet">Held to ${clip(contract, longestSubject)}. Verdicts come at the end, when the report replaces this page.</p>
<p class="connection" role="alert"></p>
<noscript><p class="quiet">Without scripts, reload the page to see how far the run is.</p></noscript>
</header>
<section id="now" aria-labelledby="now-title"><h2 id="now-title">What it does now</h2>${place('lanes', parts)}</section>
<section id="log" aria-labelledby="log-title"><h2 id="log-title">What has happened</h2>${place('log', parts)}</section>`
  const footer = `quotaspec ${version} shows this page on this machine, to anyone who has the address, until the run ends.`
  const page = { style, script, connects: true, skip: 'Skip to the run', navigation, main, footer }
  return standalonePage({ title: `Running: ${subject}`, ...page })
}

/** The command that opens a page in the user's browser; undefined without a terminal or a screen. */
export const browserCommand = (
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  isTerminal: boolean,
): readonly string[] | undefined => {
  if (!isTerminal || environment.CI) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['explorer.exe']
  // Without a screen, xdg-open would start a text browser in the terminal.
  const hasScreen = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens a page in the user's browser if possible; returns whether it tried. Never throws. */
const openBrowser = (url: string): boolean => {
  const [command, ...before] = browserCommand(process.platform, process.env, process.stderr.isTTY === true) ?? []
  if (command === undefined) return false
  const child = spawn(command, [...before, url], { stdio: 'ignore', detached: true })
  // Without this command, the user opens the address by hand.
  child.once('error', () => {})
  child.unref()
  return true
}

/** How long the report waits for a browser to show it, in milliseconds. */
const patienceMs = 10_000

/** The page's address is needed even with --quiet. */
const say = (text: string) => process.stderr.write(`${text}\n`)

/** Shows a run in a browser: its progress, then its report. No failure here makes the run fail. */
export const createShownRun = () => {
  let run: ReturnType<typeof createShownProgress> | undefined
  let server: Awaited<ReturnType<typeof openLiveServer>> | undefined
  let isOpened = false
  let shown: Promise<void> | undefined
  return {
    /** Serves the page, prints its address, and opens a browser if possible. */
    async begin({ head, plan }: PreparedRun, requests: number): Promise<void> {
      const { scenario, baseUrl: target } = head
      const { contract } = subjectOf({ target: targetOf(head) })
      const subject = { scenario, target, contract, version: toolVersion }
      const told = createShownProgress({ requests, durationMs: plan.durationMs }, systemClock)
      const page = () => renderLivePage(subject, told.parts())
      server = await openLiveServer({ page, parts: told.parts }).catch((error: unknown) => {
        say(`the run can't be shown in a browser: ${whyOf(error)}`)
        return undefined
      })
      if (!server) return
      run = told
      say(`watch it at ${server.url}`)
      isOpened = openBrowser(server.url)
    },
    watch: (event: Progress) => run?.add(event),
    show(report: Report): void {
      shown = server?.replace(renderHtml(report), isOpened)
    },
    /** Resolves once open pages have the report, or after a short wait; Ctrl-C ends the wait. */
    async end(): Promise<void> {
      const { signal, release } = untilInterrupted()
      await Promise.race([shown ?? server?.giveUp(), aborted(signal), after(patienceMs, undefined, { ref: false })])
      release()
      await server?.close()
    },
  }
}
