import { chartsScript } from '../charts/browser-charts.js'

const copyScript = `
const startCopying = () => {
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Without the permission, or outside a secure context, only the old way is left.
      const area = document.createElement('textarea')
      area.value = text
      document.body.append(area)
      area.select()
      document.execCommand('copy')
      area.remove()
    }
  }
  for (const button of document.querySelectorAll('button.copy')) {
    button.addEventListener('click', async () => {
      await copy(button.parentElement.querySelector('code').textContent)
      button.focus()
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = 'Copy' }, 1600)
    })
  }
}
`

const filterScript = String.raw`
const startFilters = () => {
  const form = document.querySelector('.filters')
  const rows = [...document.querySelectorAll('.clause')].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    plans: JSON.parse(row.dataset.plans),
  }))
  const folds = [...document.querySelectorAll('.area')]
  let isFiltered = false
  const apply = () => {
    const asked = new FormData(form)
    const words = String(asked.get('text')).toLowerCase().split(/\s+/).filter(Boolean)
    const oneOf = (name, value) => !asked.has(name) || asked.getAll(name).includes(value)
    const is = (name, matches) => !asked.get(name) || matches(asked.get(name))
    let shown = 0
    for (const { row, text, plans } of rows) {
      const fits =
        oneOf('verdict', row.dataset.verdict) &&
        oneOf('level', row.dataset.level) &&
        is('area', (area) => area === row.dataset.area) &&
        is('plan', (plan) => plans.includes(plan)) &&
        words.every((word) => text.includes(word))
      row.hidden = !fits
      if (fits) shown += 1
    }
    for (const area of folds) area.hidden = !area.querySelector('.clause:not([hidden])')
    // What a filter finds is shown; without one the areas are folded again.
    const filters = shown < rows.length
    if (filters || isFiltered) for (const area of folds) area.open = filters
    isFiltered = filters
    document.querySelector('.none-shown').hidden = shown > 0
    form.querySelector('.shown').textContent = shown === rows.length ? 'All ' + shown + ' clauses' : shown + ' of ' + rows.length + ' clauses'
  }
  form.addEventListener('input', apply)
  form.addEventListener('reset', () => setTimeout(apply))
  form.addEventListener('submit', (event) => event.preventDefault())
  apply()
  return () => {
    form.reset()
    apply()
  }
}
`

const linkScript = `
const startLinks = (showAll) => {
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!target) return
    if (target.closest('[hidden]')) showAll()
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true
    target.scrollIntoView()
    const focus = target.tagName === 'DETAILS' ? target.querySelector('summary') : null
    focus?.focus({ preventScroll: true })
  }
  addEventListener('hashchange', follow)
  // A link to the place where one already is changes no hash, and may have been filtered away or closed since.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]')
    if (link && link.getAttribute('href') === location.hash) follow()
  })
  if (location.hash) follow()
}
`

/** The page's own script: copy buttons, filters, deep links, charts. It never writes markup. */
export const browserScript: string = `(() => {
'use strict'
${chartsScript}${copyScript}${filterScript}${linkScript}
for (const each of document.querySelectorAll('.needs-script')) each.hidden = false
startCopying()
startLinks(startFilters())
startCharts()
})()`
