// Reads a date without its zone, as a parser does that knows of none: on a machine whose zone is UTC it looks right.
import { dateAsReadBy, waitAsNamed } from '../named-wait.mjs'

await waitAsNamed(dateAsReadBy((text) => Date.parse(text.replace(' GMT', ''))))
