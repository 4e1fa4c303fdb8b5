import { createHash } from 'node:crypto'

/**
 * One byte of a hash of a key: 255 of 256 times it tells that another key was given by mistake. It is always the same
 * byte, so that any number of runs tell no more of a key than this, which is less than two of its characters.
 */
export const keyMark = (secret: string): number =>
  createHash('sha256').update(`quotaspec key mark\0${secret}`).digest()[0]
