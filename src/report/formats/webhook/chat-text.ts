import { clip, visible } from '../../escape.js'

/** Nobody sees it, and it keeps two characters from being read as one mark. */
const apart = '\u200b'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const alike: Readonly<Record<string, string>> = { '*': '∗', '`': 'ʹ', '~': '∼' }

/** An address of the user's own, on one line, for a message in a chat: it stays what it is, and may become a link. */
export const chatAddress = (text: string): string =>
  visible(text).replace(/[&<>]/g, (found) => entities[found] ?? found)

/**
 * Text for a message in a chat: on one line, clipped to `most` characters, and with nothing in it that Slack, Mattermost
 * or their like take for a mention, a link or a format. They have no common escape but for `&`, `<` and `>`, so marks
 * become characters that look alike, and mentions and addresses get a break that nobody sees.
 */
export const chatText = (text: string, most: number): string =>
  chatAddress(clip(text, most))
    .replace(/[*`~]/g, (found) => alike[found] ?? found)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, 'ˍ')
    .replace(/[@#](?=[\p{L}\p{N}])|\](?=\()|:(?=\/\/)|(?<=www)\./giu, `$&${apart}`)
