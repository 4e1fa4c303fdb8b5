// Hands a date to Date.parse as it came: right for the form that servers send, and local time for that of asctime.
import { dateAsReadBy, waitAsNamed } from '../named-wait.mjs'

await waitAsNamed(dateAsReadBy(Date.parse))
