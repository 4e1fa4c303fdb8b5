import { z } from 'zod'
import { exactInteger, JsonNumber } from '../../kit/json.js'

export const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const

/** Above 2^53 an IEEE double no longer distinguishes adjacent integers. */
export const exactDoubleLimit = 2n ** 53n

/** A JSON number that is an integer, as a bigint: `5` and `5.0` are, `"5"` and `5.5` are not. */
export const integer = z.unknown().transform((value, context): bigint => {
  const exact = value instanceof JsonNumber ? exactInteger(value.value) : undefined
  if (exact !== undefined) return exact
  context.addIssue({ code: 'custom', message: 'is not an integer' })
  return z.NEVER
})

/** The states of a pet (§3). */
export const petStatuses = ['available', 'pending', 'sold'] as const
export const petStatus = z.enum(petStatuses)

/** A pet's id: an int64, digit for digit. */
export const petId = integer.refine((id) => id >= int64.min && id <= int64.max, { error: 'is beyond int64' })

/** An entry of the inventory (§2). Further fields are allowed and kept. */
export const inventoryItem = z.looseObject({ petId, quantity: integer, status: petStatus })
export type InventoryItem = z.infer<typeof inventoryItem>

/** The body of a stock update (§2). */
export const inventoryUpdate = z.looseObject({ quantity: integer })

/** The body of an error (§2). */
export const errorBody = z.looseObject({ code: z.string(), message: z.string(), status: integer })

/**
 * The interface's own words in a JSON body: a property's name with its number, a status. If a key happens to equal such a
 * word, these places do not leak it.
 */
export const interfaceText: readonly RegExp[] = [
  /"(?:petId|quantity|status|code|message)"\s*:(?:\s*-?\d+(?:\.\d+)?(?=\s*[,}\]]))?/g,
  /"status"\s*:\s*"(?:available|pending|sold)"/g,
]
