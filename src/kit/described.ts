import { z } from 'zod'

/** Columns of the report's rows, each with its sentence in the published schema. */
export const number = (is: string) => z.number().describe(is)
export const numberOrNull = (is: string) => z.number().nullable().describe(is)
export const text = (is: string) => z.string().describe(is)
export const textOrNull = (is: string) => z.string().nullable().describe(is)
export const texts = (is: string) => z.array(z.string()).describe(is)
export const flag = (is: string) => z.boolean().describe(is)

/** A setting with bounds on both sides and a default. */
export const whole = (least: number, most: number, usual: number, is: string) =>
  z.int().min(least).max(most).default(usual).describe(is)
export const amount = (least: number, most: number, usual: number, is: string) =>
  z.number().min(least).max(most).default(usual).describe(is)

export const maybe = <S extends z.ZodType>(schema: S, is: string) => schema.optional().describe(is)

export const plainName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'must be lower-case letters, digits and hyphens' })
