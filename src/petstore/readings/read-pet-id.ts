import { petId } from '../../contract/petstore/schemas.js'
import { isJsonObject, type Json } from '../../kit/lossless-json.js'

/** The petId of an entry, digit for digit; undefined where it has none that is an int64. */
export const readPetId = (entry: Json): bigint | undefined => {
  const parsed = isJsonObject(entry) ? petId.safeParse(entry.petId) : undefined
  return parsed?.success ? parsed.data : undefined
}
