import { z } from 'zod'

/** For probes that nothing can be told. */
export const noSettings = z.strictObject({})
