import createMarkdownIt, { type MarkdownIt } from 'markdown-it'
import { headingIds } from './heading-ids.ts'
import { taskLists } from './task-lists.ts'

/** Table cells carry their alignment as `style`, which the sanitiser does not let through. */
function alignWithoutStyle(markdown: MarkdownIt) {
  markdown.core.ruler.push('align_without_style', (state) => {
    for (const token of state.tokens) {
      const style = token.type === 'th_open' || token.type === 'td_open' ? token.attrGet('style') : null
      if (style) token.attrs = [['align', String(style).replace('text-align:', '')]]
    }
  })
}

/** CommonMark with tables, strikethrough, bare links and task lists. HTML in the source is shown, not interpreted. */
export const parser = new createMarkdownIt({ html: false, linkify: true, breaks: false })
  .use(alignWithoutStyle)
  .use(taskLists)
  .use(headingIds)
// `readme.md` and `setup.sh` are file names far more often than web addresses.
parser.linkify.set({ fuzzyLink: false })
