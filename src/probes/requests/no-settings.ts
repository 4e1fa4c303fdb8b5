import { z } from 'zod'

/** The schema of probes without settings. */
export const noSettings = z.strictObject({})
