import { UsageError } from '../kit/usage-error.js'

const others: Readonly<Record<string, string>> = {
  'connect-timeout': 'timeouts.connect',
  'head-timeout': 'timeouts.head',
  'body-timeout': 'timeouts.body',
  'time-limit': 'timeouts.run',
  quota: 'quotas',
  fault: 'faults',
  variation: 'variations',
  key: 'keys',
}

const camelCase = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The same sentence with the options of a call in place of the flags of a command. */
const inOptions = (message: string): string =>
  message.replace(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)/g, (_, flag: string) => others[flag] ?? camelCase(flag))

/** Resolves to what `use` does. A {@link UsageError} that speaks of flags speaks of options then. */
export const sayingOptions = async <T>(use: () => Promise<T>): Promise<T> => {
  try {
    return await use()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(inOptions(error.message)) : error
  }
}
