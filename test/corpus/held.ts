import { describe, expect, it } from 'vitest'
import { differences } from '../../workshop/corpus/expectation.js'
import { expectedOf, judgeRecording, recordings } from '../../workshop/corpus/recordings.js'

/** How many files judge the corpus, so that all processors do: `shard-1.test.ts` and its like. */
const shards = 2

/** Has every recording of this shard give exactly what is expected of it. Small and large ones go to each. */
export const holdShard = (shard: number): void => {
  describe(`recorded runs, judged offline, ${shard} of ${shards}`, () => {
    it.each(recordings().filter((_, index) => index % shards === shard - 1))('%s', (id) => {
      expect(differences(expectedOf(id), judgeRecording(id)).join('\n')).toBe('')
    })
  })
}
