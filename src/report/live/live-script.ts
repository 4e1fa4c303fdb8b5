const partsScript = `
const replace = (part, markup) => {
  // The focus stays where it was.
  const places = () => [...part.querySelectorAll('[tabindex]')]
  const focused = places().indexOf(document.activeElement)
  const parsed = new DOMParser().parseFromString(markup, 'text/html')
  part.replaceChildren(...parsed.body.childNodes)
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
  connection.textContent = 'Nothing heard from the run since ' + new Date().toLocaleTimeString() + '. If it still runs, this page will go on; if it has ended, its report is in its folder (--out).'
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
