/** Makes the still charts interactive with uPlot. It reads the page's own data, and colours from the page's own style. */
export const chartsScript = `
const startCharts = () => {
  const specs = new Map(JSON.parse(document.getElementById('charts').textContent).map((spec) => [spec.id, spec]))
  const height = 264
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()
  const bars = uPlot.paths.bars({ size: [0.9, 24], align: 0 })
  const steps = uPlot.paths.stepped({ align: 1 })
  const number = (value) => (value == null ? '–' : Math.abs(value).toLocaleString('en-US'))

  const seriesOf = (each) => {
    const stroke = colour('tone-' + each.tone)
    const own = { label: each.label, stroke, spanGaps: true, dash: each.dashed ? [6, 5] : undefined }
    if (each.mark === 'bars') return { ...own, fill: stroke, width: 0, paths: bars, points: { show: false } }
    if (each.mark === 'dots') return { ...own, paths: () => null, points: { show: true, size: 4, fill: stroke, width: 0 } }
    return { ...own, width: each.mark === 'steps' ? 2.5 : 1.5, paths: each.mark === 'steps' ? steps : undefined, points: { show: false } }
  }

  const drawMoments = (spec) => (plot) => {
    const { ctx, bbox } = plot
    ctx.save()
    ctx.beginPath()
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
    ctx.clip()
    for (const { at, kind } of spec.moments) {
      const x = plot.valToPos(at, 'x', true)
      ctx.beginPath()
      ctx.strokeStyle = colour('moment-' + kind)
      ctx.lineWidth = devicePixelRatio * (kind === 'witness' ? 2 : 1)
      ctx.setLineDash(kind === 'retry' ? [2, 4] : kind === 'reset' ? [7, 4] : [])
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
    }
    ctx.restore()
  }

  const drawLabel = (spec) => (plot) => {
    if (!spec.label) return
    const { ctx } = plot
    const x = plot.valToPos(spec.label.x, 'x', true)
    const y = plot.valToPos(spec.label.y, 'y', true)
    const isLate = spec.label.x > (plot.scales.x.min + plot.scales.x.max) / 2
    ctx.save()
    ctx.fillStyle = colour('tone-over')
    ctx.beginPath()
    ctx.arc(x, y, 4 * devicePixelRatio, 0, 2 * Math.PI)
    ctx.fill()
    ctx.font = '600 ' + 13 * devicePixelRatio + 'px system-ui, sans-serif'
    ctx.textAlign = isLate ? 'right' : 'left'
    ctx.fillText(spec.label.text, x + (isLate ? -9 : 9) * devicePixelRatio, y - 6 * devicePixelRatio)
    ctx.restore()
  }

  const optionsOf = (spec, width, readout) => {
    const axis = { stroke: colour('quiet'), grid: { stroke: colour('grid'), width: 1 }, ticks: { stroke: colour('grid'), width: 1 }, font: '12px system-ui, sans-serif' }
    const told = readout.textContent
    const read = (plot) => {
      const at = plot.cursor.idx
      readout.textContent = at == null ? told : spec.x[at].toFixed(3) + ' s · ' + spec.series.map((each) => each.label + ': ' + number(each.values[at])).join(' · ')
    }
    return {
      width,
      height,
      legend: { show: false },
      scales: { x: { time: false } },
      axes: [
        { ...axis, space: 90, values: (_, all) => all.map((value) => value + ' s') },
        { ...axis, size: 58, values: (_, all) => all.map(number) },
      ],
      series: [{}, ...spec.series.map(seriesOf)],
      hooks: { draw: [drawMoments(spec), drawLabel(spec)], setCursor: [read] },
    }
  }

  const live = new Map()
  const draw = (holder) => {
    const spec = specs.get(holder.dataset.chart)
    if (!spec || holder.clientWidth === 0) return
    live.get(holder)?.destroy()
    const readout = holder.parentElement.querySelector('.readout')
    live.set(holder, new uPlot(optionsOf(spec, holder.clientWidth, readout), [spec.x, ...spec.series.map((each) => each.values)], holder))
    holder.classList.add('live')
    holder.querySelector('canvas').setAttribute('aria-hidden', 'true')
  }

  const near = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || live.has(target)) continue
      draw(target)
      wide.observe(target)
    }
  }, { rootMargin: '400px' })
  const wide = new ResizeObserver((entries) => {
    for (const { target } of entries) live.get(target)?.setSize({ width: target.clientWidth, height })
  })
  for (const holder of document.querySelectorAll('.plot')) near.observe(holder)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const holder of live.keys()) draw(holder)
  })
}
`
