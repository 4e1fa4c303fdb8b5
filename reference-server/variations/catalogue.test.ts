import { describe, expect, it } from 'vitest'
import { variations } from '../faults/catalogue.js'
import { gathered, transcript } from '../testing/transcript.js'

const healthy = gathered(transcript({}))

/** What they vary shows on a connection, to a client that asks for it, or under a ban: see server.test.ts. */
const onConnection = ['keep-alive-of-a-second', 'gzip', 'first-of-two-keys', 'undated', 'ban-as-429']

/** A transcript has no dates in it, and asks for no coding: see codings.test.ts and dates.test.ts. */
const unusual = ['date-of-1970', 'date-jumping', 'another-coding-than-gzip']

const beyondTranscript = [...onConnection, ...unusual]

describe('the catalogue of variations', () => {
  it('has at least 30, each with an id of its own', () => {
    expect(variations.length).toBeGreaterThanOrEqual(30)
    expect(new Set(variations.map(({ id }) => id)).size).toBe(variations.length)
  })

  it.each(variations.map(({ id }) => id))('shows %s to a client, and gets through without a 500', async (id) => {
    const lines = await gathered(transcript({ variations: [id] }))
    expect(lines.filter((line) => line.includes('internal_error'))).toEqual([])
    if (!beyondTranscript.includes(id)) expect(lines).not.toEqual(await healthy)
  })
})
