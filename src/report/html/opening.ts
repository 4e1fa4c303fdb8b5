import { count, counted, formatDuration } from '../../kit/words.js'
import { excludedInWords } from '../certificate.js'
import { clip } from '../escape.js'
import type { Report } from '../model.js'
import { subjectOf } from '../quotas.js'
import { changedElsewhereInWords, lateLoadsInWords, requestTotals, unrestoredPets } from '../summary.js'
import { commandBox, fact, type Html, html, outcomeMark, outcomeWords, unbrokenIds } from './markup.js'

const longestHeadline = 400
const longestSubject = 200

const putBack = (pets: Report['unrestored']): Html[] =>
  pets.map(
    (pet) =>
      html`<p class="restore-line">Pet <code>${pet.petId}</code>, quantity <code>${pet.quantity}</code></p>${commandBox(pet.curl, `the command that restores pet ${pet.petId}`)}`,
  )

const unrestored = (report: Report): (Html | false)[] => {
  const { changed, unseen } = unrestoredPets(report)
  const elsewhere = changedElsewhereInWords(report)
  return [
    changed.length > 0 &&
      html`<section class="notice" aria-labelledby="unrestored-title"><h2 id="unrestored-title">The inventory is not as it was</h2>
<p>Each command restores one pet.</p>
${putBack(changed)}</section>`,
    unseen.length > 0 &&
      html`<section class="notice" aria-labelledby="unseen-title"><h2 id="unseen-title">The inventory could not be checked</h2>
<p>Every key was refused. The first command shows the inventory; each of the others restores one pet.</p>
${commandBox(unseen[0].look ?? '', 'the command that shows the inventory')}${putBack(unseen)}</section>`,
    elsewhere !== undefined && html`<p class="notice">${elsewhere}</p>`,
  ]
}

/** A moment in UTC, in seconds; any other text stays as it is. */
export const moment = (iso: string): string => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso) ?? []
  return day === undefined ? iso : `${day} ${time} UTC`
}

const subject = (report: Report): Html => {
  const { run, target } = report
  const spent = counted(requestTotals(report).spent, 'request')
  return html`<p class="subject"><b>${clip(run.scenario, longestSubject)}</b> against <b>${clip(target.baseUrl, longestSubject)}</b>, contract: ${clip(subjectOf(report).contract, longestSubject)} · ${moment(run.startedAt)} · ${formatDuration(run.durationMs)}, ${spent}</p>`
}

/** How the target's windows were shortened for this run; nothing if its minute lasts a minute. */
const timeScale = ({ run }: Report): Html | false => {
  if (run.timeScale === 1) return false
  const times = count(Math.round(run.timeScale * 100) / 100)
  const minute = formatDuration(60_000 / run.timeScale)
  return html`<p class="time-scale">Test setup: the windows of the service were ${times} times shorter, so a minute lasted ${minute} (--time-scale ${times}). The limits were the same.</p>`
}

const remark = (kind: string, told: string | undefined, more: Html | false = false): Html | false =>
  told !== undefined && html`<p class="${kind}">${told}${more}</p>`

const aboutRun = (report: Report): Html =>
  html`<details class="fold about"><summary>About this run: the command that repeats it, seed, version</summary><dl class="facts">${fact('Target', report.target.baseUrl)}${fact('Contract', subjectOf(report).contract)}${fact('Scenario', report.run.scenario)}${fact('Started', moment(report.run.startedAt))}${fact('Seed', String(report.run.seed))}${fact('Time scale', String(report.run.timeScale))}${fact('Exit code', String(report.run.exitCode))}${fact('Version', `quotaspec ${report.tool.version}`)}</dl>
${commandBox(report.run.command, 'the command that repeats this run')}</details>`

/** The outcome in words, what was run against what and when, and what must be restored. */
export const opening = (report: Report): Html => html`<header class="verdict ${report.outcome}">
<div class="verdict-line">${outcomeMark(report.outcome)}<div><p class="outcome">${outcomeWords[report.outcome]}${report.run.interrupted && ', interrupted'}</p><h1>${unbrokenIds(clip(report.headline, longestHeadline))}</h1>${remark('rerun', report.rerun ? clip(report.rerun.sentence, longestHeadline) : undefined)}${timeScale(report)}${remark('excluded', excludedInWords(report), html` <a href="#excluded">The whole list</a>`)}${remark('late', lateLoadsInWords(report))}</div></div>
${subject(report)}
${aboutRun(report)}
</header>
${unrestored(report)}`
