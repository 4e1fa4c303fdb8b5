const partsScript = `
const replace = (part, markup) => {
  // What was opened or closed stays so, and the focus stays where it was.
  const nameOf = (fold) => fold.id || fold.querySelector('summary').textContent
  const folds = new Map([...part.querySelectorAll('details')].map((fold) => [nameOf(fold), fold.open]))
  const places = () => [...part.querySelectorAll('a, summary, [tabindex]')]
  const focused = places().indexOf(document.activeElement)
  const parsed = new DOMParser().parseFromString(markup, 'text/html')
  part.replaceChildren(...parsed.body.childNodes)
  for (const fold of part.querySelectorAll('details')) fold.open = folds.get(nameOf(fold)) ?? fold.open
  if (focused >= 0) places()[focused]?.focus({ preventScroll: true })
}
const show = (parts) => {
  for (const [name, markup] of Object.entries(parts)) replace(document.querySelector('[data-part="' + name + '"]'), markup)
  // Times are told with the progress; what else comes changes none of them.
  if ('progress' in parts) shownAt = performance.now()
  count()
}
`

const countScript = `
const inWords = (ms) => {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return seconds + ' s'
  return Math.floor(seconds / 60) + ' min' + (seconds % 60 ? ' ' + (seconds % 60) + ' s' : '')
}
let shownAt = performance.now()
const count = () => {
  const since = performance.now() - shownAt
  for (const each of document.querySelectorAll('[data-left]')) each.textContent = inWords(Math.max(0, each.dataset.left - since) + 999)
  for (const each of document.querySelectorAll('[data-since]')) {
    const ran = Number(each.dataset.since) + since
    each.textContent = inWords(ran)
    document.querySelector('[data-runs]').value = ran
  }
}
`

const streamScript = `
const connection = document.querySelector('.connection')
const source = new EventSource('events')
source.addEventListener('message', (event) => {
  connection.textContent = ''
  show(JSON.parse(event.data))
})
source.addEventListener('over', () => {
  source.close()
  location.reload()
})
source.addEventListener('gone', () => {
  source.close()
  clearInterval(counting)
  connection.textContent = 'The run ended without a report. The terminal says why.'
})
source.addEventListener('error', () => {
  connection.textContent = 'There is no word from the run since ' + new Date().toLocaleTimeString() + '. If it goes on, this page will too; if it is over, its report is in the folder that it was given.'
})
const counting = setInterval(count, 250)
`

/**
 * The script of the page of a run that goes on: puts in what the run sends, counts times on, and reloads for the report.
 * The markup is what renderers made; parsed apart from the page it runs nothing, and the page's policy forbids it too.
 */
export const liveScript: string = `(() => {
'use strict'
${countScript}${partsScript}${streamScript}
})()`
