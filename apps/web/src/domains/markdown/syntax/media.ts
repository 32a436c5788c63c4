import type { MarkdownIt, StateCore, Token } from 'markdown-it'

const KINDS: readonly (readonly [tag: 'video' | 'audio', names: RegExp])[] = [
  ['video', /\.(?:mp4|m4v|webm|ogv|mov)$/i],
  ['audio', /\.(?:mp3|m4a|aac|ogg|oga|opus|wav|flac)$/i],
]

/** Returns the media type of a URL by its file extension, or `null`. */
function kindOf(address: string): 'video' | 'audio' | null {
  const path = /^(?:https?:\/\/|\/)?[^?#]*/i.exec(address)?.[0] ?? ''
  return KINDS.find(([, names]) => names.test(path))?.[0] ?? null
}

function player(state: StateCore, address: string, name: string): Token | null {
  const kind = kindOf(address)
  if (!kind) return null
  const token = new state.Token('media', kind, 0)
  token.attrs = [
    ['controls', ''],
    ['preload', 'none'],
    ['src', address],
  ]
  if (name) token.attrPush(['title', name])
  token.content = name
  return token
}

/** Returns the URL of a bare link that is the only content of its paragraph, or `null`. */
function loneAddress(children: readonly Token[]): string | null {
  const [open, , close] = children
  const isLone = children.length === 3 && open?.type === 'link_open' && close?.type === 'link_close'
  const isBare = open?.info === 'auto'
  return isLone && isBare ? String(open.attrGet('href')) : null
}

/** Renders a recording as a player. Applies to images, and to bare links that are alone in their paragraph. */
export function media(markdown: MarkdownIt): void {
  markdown.core.ruler.push('media', (state) => {
    for (const { type, children } of state.tokens) {
      if (type !== 'inline' || !children) continue
      const address = loneAddress(children)
      const alone = address === null ? null : player(state, address, '')
      if (alone) children.splice(0, 3, alone)
      children.forEach((child, index) => {
        const source = child.type === 'image' ? child.attrGet('src') : null
        const made = source === null ? null : player(state, String(source), child.content)
        if (made) children[index] = made
      })
    }
  })
  markdown.renderer.rules['media'] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]!
    return `<${token.tag}${renderer.renderAttrs(token)}></${token.tag}>`
  }
}
