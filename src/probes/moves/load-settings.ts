import { z } from 'zod'

/** How much of the limit a load sends, where nothing else is said; `what` says so for the reference. */
export const overshootSetting = (usual: number, most = 10, what = 'it sends', each = '') =>
  z
    .number()
    .min(1.05)
    .max(most)
    .default(usual)
    .describe(`How much of the limit ${what}: at ${usual}, ${60 * usual} requests${each} for a limit of 60.`)

/** Over how many connections a load goes, where nothing else is said. */
export const connectionsSetting = (usual = 50) =>
  z.int().min(1).max(500).default(usual).describe('Connections over which they go.')
