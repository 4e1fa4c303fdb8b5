// The site's theme is VitePress's own. Beside it the observatory's table can be filtered, in the built site alone: elsewhere the
// page shows the whole table.
import DefaultTheme from 'vitepress/theme'
import { h, onMounted, ref, watch } from 'vue'

/** Columns that name a limiter; those after them are what it is asked, and the last is a figure that nobody promises. */
const namingColumns = 4

/** Whether a limiter promises what a column asks: a cell that was played, and is not "not promised". */
const isPromised = (cell) => !['', 'not promised'].includes(cell.textContent.trim())

/** A box to tick for each column of the last table: only limiters that promise all that is ticked stay. */
const PromiseFilter = {
  setup() {
    const table = () => [...document.querySelectorAll('.vp-doc table')].at(-1)
    const columns = ref([])
    const ticked = ref([])
    const left = ref('')
    onMounted(() => {
      columns.value = [...table().tHead.rows[0].cells].slice(namingColumns, -1).map((head) => head.textContent)
    })
    watch(ticked, (wanted) => {
      const rows = [...table().tBodies[0].rows]
      const places = wanted.map((column) => namingColumns + columns.value.indexOf(column))
      for (const row of rows) row.hidden = !places.every((place) => isPromised(row.cells[place]))
      left.value = `${rows.filter((row) => !row.hidden).length} of ${rows.length} limiters`
    })
    const tick = (column, isTicked) => {
      ticked.value = isTicked ? [...ticked.value, column] : ticked.value.filter((each) => each !== column)
    }
    return () =>
      h('p', [
        'Only limiters that promise: ',
        ...columns.value.map((column) =>
          h('label', { style: 'margin-right: 1em; white-space: nowrap' }, [
            h('input', { type: 'checkbox', onChange: ({ target }) => tick(column, target.checked) }),
            ` ${column}`,
          ]),
        ),
        left.value,
      ])
  },
}

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('PromiseFilter', PromiseFilter),
}
