// The script of the page of a run that goes on: puts in what the run sends, counts times on, and reloads for the report.
// The markup is what renderers made; parsed apart from the page it runs nothing, and the page's policy forbids it too.

/** @type {(selector: string, within?: ParentNode) => HTMLElement[]} */
const all = (selector, within = document) =>
  [...within.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement)

/** @param {number} ms */
const inWords = (ms) => {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  return `${Math.floor(seconds / 60)} min${seconds % 60 ? ` ${seconds % 60} s` : ''}`
}

let shownAt = performance.now()
const count = () => {
  const since = performance.now() - shownAt
  for (const each of all('[data-left]'))
    each.textContent = inWords(Math.max(0, Number(each.dataset.left) - since) + 999)
  for (const each of all('[data-since]')) {
    const ran = Number(each.dataset.since) + since
    each.textContent = inWords(ran)
    const bar = document.querySelector('[data-runs]')
    if (bar instanceof HTMLProgressElement) bar.value = ran
  }
}

/** @type {(part: Element, markup: string) => void} */
const replace = (part, markup) => {
  // The focus stays where it was.
  const places = () => all('[tabindex]', part)
  const { activeElement } = document
  const focused = activeElement instanceof HTMLElement ? places().indexOf(activeElement) : -1
  const parsed = new DOMParser().parseFromString(markup, 'text/html')
  part.replaceChildren(...parsed.body.childNodes)
  if (focused >= 0) places()[focused]?.focus({ preventScroll: true })
}

/** @param {Record<string, string>} parts */
const show = (parts) => {
  for (const [name, markup] of Object.entries(parts))
    for (const part of all(`[data-part="${name}"]`)) replace(part, markup)
  // Times are told with the progress; what else comes changes none of them.
  if ('progress' in parts) shownAt = performance.now()
  count()
}

const counting = setInterval(count, 250)
const source = new EventSource('events')
/** @param {string} text */
const tell = (text) => {
  for (const each of all('.connection')) each.textContent = text
}
source.addEventListener('message', (event) => {
  tell('')
  show(JSON.parse(event.data))
})
source.addEventListener('over', () => {
  source.close()
  location.reload()
})
source.addEventListener('gone', () => {
  source.close()
  clearInterval(counting)
  tell('The run ended without a report. The terminal says why.')
})
source.addEventListener('error', () => {
  tell(
    `Nothing heard from the run since ${new Date().toLocaleTimeString()}. If it still runs, this page will go on; if it has ended, its report is in its folder (--out).`,
  )
})
