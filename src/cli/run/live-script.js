// The script of a running run's page: shows what the run sends, and reloads for the report.
// The markup comes from renderers; parsed apart from the page it runs no script, and the page's policy forbids that too.

/** @type {(selector: string, within?: ParentNode) => HTMLElement[]} */
const all = (selector, within = document) =>
  [...within.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement)

/** @type {(part: Element, markup: string) => void} */
const replace = (part, markup) => {
  // Keeps the focus.
  const places = () => all('[tabindex]', part)
  const { activeElement } = document
  const focused = activeElement instanceof HTMLElement ? places().indexOf(activeElement) : -1
  const parsed = new DOMParser().parseFromString(markup, 'text/html')
  part.replaceChildren(...parsed.body.childNodes)
  if (focused >= 0) places()[focused]?.focus({ preventScroll: true })
}

/** @type {Record<string, string>} */
let shown = {}
/** @param {Record<string, string>} parts */
const show = (parts) => {
  for (const part of all('[data-part]')) {
    const { part: name = '' } = part.dataset
    // Unchanged parts stay, with the user's selection in them.
    if (parts[name] !== shown[name]) replace(part, parts[name] ?? '')
  }
  shown = parts
}

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
  tell('The run ended without a report. The terminal says why.')
})
source.addEventListener('error', () => {
  tell(
    `Nothing heard from the run since ${new Date().toLocaleTimeString()}. If it still runs, this page will go on; if it has ended, its report is in its folder (--out).`,
  )
})
