import { UsageError } from '../../kit/usage-error.js'

/** A request of the plan: what is asked for, and whether with the credential. */
export interface Turn {
  readonly probe: string
  readonly anonymous: boolean
}

/** No more requests are sent, whatever is found. */
export const mostRequests = 20

/** So many paths leave room to ask for each as often as it takes to compare them. */
const mostProbes = 3

/** Kept for when a window has renewed. */
const afterwards = 2

const turns = (probe: string, times: number, anonymous = false): Turn[] => Array(times).fill({ probe, anonymous })

/**
 * What is asked, in order: the first probe, each other one with the first behind it, and the first without the credential.
 * So each answer of the first shows what others took off.
 */
export const askPlan = (probes: readonly string[], hasCredential: boolean): readonly Turn[] => {
  const [first, ...others] = probes
  const anonymous = hasCredential ? [...turns(first, 2, true), ...turns(first, 1)] : []
  const plan = [...turns(first, 5), ...others.flatMap((each) => [...turns(each, 3), ...turns(first, 2)]), ...anonymous]
  return plan.slice(0, mostRequests - afterwards)
}

/** What is asked once the window that answers name has ended. */
export const renewedPlan = ([first]: readonly string[]): readonly Turn[] => turns(first, afterwards)

const nameOf = (path: string): string => {
  const words = path
    .split('?')[0]
    .toLowerCase()
    .split('/')
    .map((part) => part.replace(/[^a-z0-9]+/g, '-'))
  const named = words.map((word) => word.replace(/^[^a-z]+|-+$/g, '')).filter((word) => word !== '')
  return (named.at(-1) ?? 'root').slice(0, 36)
}

/** Names for paths, by the last word of each. Throws a {@link UsageError} for what is no path, and for too many. */
export const namedProbes = (paths: readonly string[]): ReadonlyMap<string, string> => {
  if (paths.length > mostProbes) {
    throw new UsageError(
      `--probe came ${paths.length} times: ${mostRequests} requests compare ${mostProbes} paths at most`,
    )
  }
  const probes = new Map<string, string>()
  for (const path of paths) {
    if (!/^\/(?!\/)[!-~]*$/.test(path) || /[#{}]/.test(path)) {
      throw new UsageError(`--probe ${path}: a path below the target that begins with a slash, such as /items?limit=1`)
    }
    const name = nameOf(path)
    probes.set(probes.has(name) ? `${name}-${probes.size + 1}` : name, path)
  }
  return probes
}
