// Reads a date in the one form that servers may send, and takes the two obsolete ones for nothing.
import { namedMs, waitAsNamed } from '../named-wait.mjs'

const fixdate = /^(\d+|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .* GMT)$/

await waitAsNamed((response) =>
  fixdate.test(response.headers.get('retry-after') ?? '') ? namedMs(response) : undefined,
)
