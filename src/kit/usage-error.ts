/** The user gave something unusable. The message says what, where, and what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What a call returns; undefined if it throws. */
export const attempt = <T>(call: () => T): T | undefined => {
  try {
    return call()
  } catch {
    return undefined
  }
}

/** Why the system refused access to a file or folder, in words. Only causes that depend on the user's choice are listed. */
export const fileReasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'that disk can only be read',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of that path is a file, not a folder',
  EISDIR: 'that is a folder; give a file',
  EEXIST: 'it exists already',
  ENAMETOOLONG: 'that name is too long',
  ELOOP: 'those links form a loop',
  EMFILE: 'this process may not open enough files at once: raise the limit (`ulimit -n 4096`), and run quotaspec again',
  ENFILE: 'this machine has too many open files: close some programs, and run quotaspec again',
}

/** What went wrong: in plain words if the system refused access to a file, else the error's own. */
export const whyOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown)
  const ofFile = 'code' in thrown ? fileReasons[String(thrown.code)] : undefined
  return ofFile ?? thrown.message
}
