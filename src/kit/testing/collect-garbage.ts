import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage three times, with turns of the event loop in between; after that unreferenced signals are gone. */
export const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let times = 0; times < 3; times += 1) {
    collect()
    await new Promise(setImmediate)
  }
}
