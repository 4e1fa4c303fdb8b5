// Keeps all of it, only that it comes 48 ms before the moment, each time.
import { namedMs, waitAsNamed } from '../named-wait.mjs'

await waitAsNamed(namedMs, (named) => named - 48)
