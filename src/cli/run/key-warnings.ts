import { statSync } from 'node:fs'

/** What is to be said about who else can see the keys. */
export const keyWarnings = (flags: { readonly key: readonly string[]; readonly 'key-file'?: string }): string[] => {
  const path = flags['key-file']
  const isOpen = path !== undefined && process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  return [
    ...(flags.key.length > 0
      ? ['keys on the command line can be seen by other users of this machine; QUOTASPEC_KEY_FREE and its like can not']
      : []),
    ...(isOpen ? [`${path} can be read by other users of this machine: chmod 600 ${path}`] : []),
  ]
}
