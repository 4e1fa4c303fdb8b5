import { hash } from 'node:crypto'
import { int64, inventoryUpdate, petStatuses } from '../../src/contract/petstore/schemas.js'
import { fixedQuotas, type PlanName, type Quota } from '../../src/contract/plans.js'
import { isJsonObject, readJson, writeJson } from '../../src/kit/json.js'

/** What every foreign target is started with. */
export interface ForeignOptions {
  readonly keys: readonly { readonly plan: PlanName; readonly secret: string }[]
  readonly enterprise: Quota
  readonly timeScale: number
}

/** A server that listens on loopback. */
export interface ForeignTarget {
  readonly url: string
  close(): Promise<void>
}

/** A request that is turned down, with its HTTP status. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** Who a request comes from, and what is allowed to them. */
export interface Caller {
  /** Under this the limiter counts: a digest of the key, or the address of a stranger. */
  readonly id: string
  readonly isKnown: boolean
  readonly quota: Quota
}

/** All that strangers from one address may ask, so that a 401 can show a limit too. */
const strangersQuota: Quota = { minute: 5_000, day: 500_000 }

/** Since when GET /pets/{petId} is on its way out. */
export const deprecationHeaders = { Deprecation: '@1767225600', Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT' }

const codes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unknown_key',
  404: 'not_found',
  413: 'body_too_large',
  429: 'too_many_requests',
}

/** The interface's Error body (§2). */
export const errorBody = (status: number, message: string): string =>
  writeJson({ code: codes[status] ?? 'error', message, status })

/** The status and the Error body of whatever was thrown; what is no refusal stays a 500 that tells nothing. */
export const failureOf = (thrown: unknown): { status: number; body: string } => {
  const told = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500
  const status = told >= 400 && told < 500 ? told : 500
  const message = status < 500 && thrown instanceof Error ? thrown.message : 'something went wrong'
  return { status, body: errorBody(status, message) }
}

const isInt64 = (value: bigint): boolean => value >= int64.min && value <= int64.max

const quantityIn = (body: string): bigint => {
  const reading = readJson(body)
  const isWhole = reading.ok && isJsonObject(reading.value) && Object.hasOwn(reading.value, 'quantity')
  const update = isWhole ? inventoryUpdate.safeParse(reading.value) : undefined
  if (!update?.success || !isInt64(update.data.quantity)) throw new Refusal(400, 'quantity has to be an integer')
  return update.data.quantity
}

const idIn = (text: string): bigint => {
  const id = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined
  if (id === undefined || !isInt64(id)) throw new Refusal(400, 'petId has to be an integer')
  return id
}

/** The shop behind the foreign targets: stock, keys and bodies, with no framework and no limiter in it. */
export const createPetstore = ({ keys, enterprise }: ForeignOptions) => {
  const quotas = { ...fixedQuotas, enterprise }
  const callers = new Map<string, Caller>(
    keys.map(({ plan, secret }) => [secret, { id: hash('sha256', secret), isKnown: true, quota: quotas[plan] }]),
  )
  const ids = [1n, 2n, 3n, 4n, 9_007_199_254_740_995n, 9_007_199_254_740_996n]
  const stock = new Map(ids.map((petId, at) => [petId, { petId, quantity: BigInt(at), status: petStatuses[at % 3] }]))
  const find = (petId: string) => {
    const item = stock.get(idIn(petId))
    if (!item) throw new Refusal(404, 'there is no such pet')
    return item
  }
  return {
    /** Whose `Authorization` header this is; a stranger goes by the address. */
    callerOf(authorization: string | undefined, address: string): Caller {
      const key = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
      return callers.get(key) ?? { id: address, isKnown: false, quota: strangersQuota }
    },
    list: (): string => writeJson([...stock.values()]),
    update(petId: string, body: string): string {
      idIn(petId)
      const quantity = quantityIn(body)
      const item = { ...find(petId), quantity }
      stock.set(item.petId, item)
      return writeJson(item)
    },
    pet: (petId: string): string => writeJson(find(petId)),
    orders: (): string => '[]',
  }
}
