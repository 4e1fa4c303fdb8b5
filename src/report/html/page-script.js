// The script of a report's page: copy buttons, filters, deep links, values under the pointer. It never writes markup.

/** @type {(selector: string, within?: ParentNode) => HTMLElement[]} */
const all = (selector, within = document) =>
  [...within.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement)

/** @param {string} text */
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

const startCopying = () => {
  for (const button of all('button.copy')) {
    button.addEventListener('click', async () => {
      await copy(button.parentElement?.querySelector('code')?.textContent ?? '')
      button.focus()
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1600)
    })
  }
}

/** Filters the clauses. Returns what shows all of them again. */
const startFilters = () => {
  const form = /** @type {HTMLFormElement} */ (document.querySelector('.filters'))
  const [noneShown] = all('.none-shown')
  const [told] = all('.shown', form)
  const areas = /** @type {HTMLDetailsElement[]} */ (all('.area'))
  const rows = all('.clause').map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    /** @type {string[]} */
    plans: JSON.parse(row.dataset.plans ?? '[]'),
  }))
  let isFiltered = false
  const apply = () => {
    const asked = new FormData(form)
    const words = String(asked.get('text')).toLowerCase().split(/\s+/).filter(Boolean)
    /** @param {string} name */
    const oneOf = (name) => (/** @type {string | undefined} */ value) =>
      !asked.get(name) || asked.getAll(name).some((each) => each === value)
    const [verdict, level, area, plan] = ['verdict', 'level', 'area', 'plan'].map(oneOf)
    let shown = 0
    for (const { row, text, plans } of rows) {
      const { dataset } = row
      const fits =
        verdict(dataset.verdict) &&
        level(dataset.level) &&
        area(dataset.area) &&
        (!asked.get('plan') || plans.some(plan)) &&
        words.every((word) => text.includes(word))
      row.hidden = !fits
      if (fits) shown += 1
    }
    for (const each of areas) each.hidden = !each.querySelector('.clause:not([hidden])')
    // What a filter finds is shown; without one the areas are folded again.
    const filters = shown < rows.length
    if (filters || isFiltered) for (const each of areas) each.open = filters
    isFiltered = filters
    noneShown.hidden = shown > 0
    told.textContent = filters ? `${shown} of ${rows.length} clauses` : `All ${shown} clauses`
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

/** @param {() => void} showAll */
const startLinks = (showAll) => {
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!target) return
    if (target.closest('[hidden]')) showAll()
    for (let at = /** @type {HTMLElement | null} */ (target); at; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true
    target.scrollIntoView()
    if (target instanceof HTMLDetailsElement) target.querySelector('summary')?.focus({ preventScroll: true })
  }
  addEventListener('hashchange', follow)
  // A link to the place where one already is changes no hash, and may have been filtered away or closed since.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href^="#"]') : null
    if (link && link.getAttribute('href') === location.hash) follow()
  })
  if (location.hash) follow()
}

/** Tells the values under the pointer, as the table behind the chart has them, and marks where they are. */
const startReadouts = () => {
  for (const figure of all('figure.chart')) {
    const chart = figure.querySelector('.still')
    const cursor = chart?.querySelector('.cursor')
    const [readout] = all('.readout', figure)
    if (!chart || !cursor || !readout) continue
    const hint = readout.textContent
    const names = all('thead th', figure).map((each) => each.textContent)
    const rows = all('tbody tr', figure).map((row) => all('th, td', row).map((each) => each.textContent))
    const places = rows.map(([second]) => Number(second))
    const [fromS, toS, left, right] = ['from', 'to', 'left', 'right'].map((name) =>
      Number(chart.getAttribute(`data-${name}`)),
    )
    const isLogarithmic = chart.hasAttribute('data-logarithmic')
    const shareOf = (/** @type {number} */ second) =>
      isLogarithmic ? Math.log(second / fromS) / Math.log(toS / fromS) : (second - fromS) / (toS - fromS)
    const placeOf = (/** @type {number} */ second) => left + shareOf(second) * (right - left)
    chart.addEventListener('pointermove', (event) => {
      if (!(event instanceof PointerEvent)) return
      const box = chart.getBoundingClientRect()
      const pointed = ((event.clientX - box.left) / box.width) * Number(chart.getAttribute('data-width'))
      const away = places.map((second) => Math.abs(placeOf(second) - pointed))
      const nearest = away.lastIndexOf(Math.min(...away))
      const [second, ...values] = rows[nearest]
      readout.textContent = [`${second} s`, ...values.map((value, at) => `${names[at + 1]}: ${value}`)].join(' · ')
      cursor.setAttribute('transform', `translate(${placeOf(places[nearest]).toFixed(1)})`)
      cursor.classList.add('shown')
    })
    chart.addEventListener('pointerleave', () => {
      readout.textContent = hint
      cursor.classList.remove('shown')
    })
  }
}

for (const each of all('.needs-script')) each.hidden = false
startCopying()
startLinks(startFilters())
startReadouts()
