/** Text for a cell of a Markdown table: a bar in it does not end the cell. */
export const tableCell = (text: string): string => text.replaceAll('|', '\\|')
