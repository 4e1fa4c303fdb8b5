import { pageStyle, styleFile } from '../../../html/page-files.js'
import { iconShapes } from '../marks.js'
import { type Html, html } from '../tag.js'
import { pageFooter, standalonePage } from './standalone-page.js'

const style = `${pageStyle}${styleFile('report/html/still-page.css')}`

/** A page in the report's style that stands alone and has no script at all. */
export const stillPage = (title: string, version: string, content: Html): string =>
  standalonePage({
    title,
    style,
    body: html`${iconShapes}
<main id="main" tabindex="-1">
${content}
</main>
${pageFooter(version)}`,
  })
