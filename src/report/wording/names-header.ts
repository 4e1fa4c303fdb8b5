/** Whether a message names a header by its whole name: an "update" names no `Date`. */
export const namesHeader = (message: string, header: string): boolean => {
  const name = header.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return header.length > 3 && new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(message.toLowerCase())
}
