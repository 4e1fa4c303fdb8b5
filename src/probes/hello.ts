import { noSettings } from './no-settings.js'
import { defineProbe } from './probe.js'

/** One reading of the list on every key: is anybody there, and is the key accepted? */
export const hello = defineProbe({
  id: 'hello',
  played: 'each-key',
  settings: noSettings,
  cost: () => ({ keyed: 1, strangers: 0, minutes: 0 }),
  async play(stage) {
    await stage.ask({ step: 'list', operation: 'listInventory' })
  },
})
