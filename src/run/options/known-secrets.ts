const known = new Set<string>()

/** Keeps a secret out of all that the process says from now on; for those whose name only a file or a contract tells. */
export const keepSecret = (secret: string): void => {
  if (secret !== '') known.add(secret)
}

/** The secrets that {@link keepSecret} was told, in their order. */
export const knownSecrets = (): readonly string[] => [...known]
