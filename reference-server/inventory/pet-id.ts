import { badRequest } from '@hapi/boom'
import { int64 } from '../../src/contract/petstore/schemas.js'

/**
 * The petId of a path: an int64 in plain decimal digits. Throws a 400 for anything else, a sign or zeros in front
 * that no printed id has included, so that each entry has one address.
 */
export const petIdOf = (text: string): bigint => {
  const id = /^(0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined
  if (id === undefined || id < int64.min || id > int64.max) throw badRequest('petId has to be an integer within int64')
  return id
}
