/**
 * The fields of a value that a validator never looks at, as paths: those that it knows nothing of. Such a validator lets
 * a misspelt field pass.
 */
export const unreadFields = (value: object, validate: (watched: object) => void): readonly string[] => {
  const read = new Set<string>()
  const watched = (each: unknown, path: string): unknown => {
    if (typeof each !== 'object' || each === null) return each
    return new Proxy(each, {
      get(target, name, receiver) {
        if (typeof name === 'symbol') return Reflect.get(target, name, receiver)
        read.add(`${path}/${name}`)
        return watched(Reflect.get(target, name, receiver), `${path}/${name}`)
      },
    })
  }
  validate(watched(value, '') as object)
  return fieldsOf(value, '').filter((path) => !read.has(path))
}

const fieldsOf = (value: unknown, path: string): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [`${path}/${name}`, ...fieldsOf(each, `${path}/${name}`)])
}
