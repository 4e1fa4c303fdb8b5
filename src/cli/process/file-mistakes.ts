/** Why the system did not let a file or folder be used, in words. What is no matter of the user's choice is not here. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'that disk can only be read',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of that path is a file, not a folder',
  EISDIR: 'that is a folder, and a file is due',
  EEXIST: 'that is there already',
  ENAMETOOLONG: 'that name is too long',
  ELOOP: 'those links lead in a circle',
}

const doing = (syscall: unknown): string =>
  ['mkdir', 'write', 'rename', 'unlink', 'rmdir', 'copyfile', 'link'].includes(String(syscall)) ? 'written' : 'used'

/**
 * A sentence for an error of the file system that comes from what the user named: a folder that can't be written, a file
 * that is none. Undefined for any other error, and for a file of the program itself, which is a defect.
 */
export const fileMistake = (error: unknown, ownFolder: string): string | undefined => {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const { code, path } = error
  const reason = reasons[String(code)]
  if (reason === undefined || typeof path !== 'string' || path.startsWith(ownFolder)) return undefined
  const syscall = 'syscall' in error ? error.syscall : undefined
  return `${path} can't be ${doing(syscall)}: ${reason}; name another`
}
