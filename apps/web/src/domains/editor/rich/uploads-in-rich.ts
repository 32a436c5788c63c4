import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { linkSource } from '../code-mirror/source-target.ts'
import {
  type FileLink,
  type PlaceholderFile,
  PlaceholderModel,
  type UploadPlaceholder,
} from '../uploads/upload-placeholder.ts'
import { schema } from './schema.ts'

type Change = { readonly begin: PlaceholderModel; readonly at: number } | { readonly end: PlaceholderModel }

const key = new PluginKey<DecorationSet>('uploads')

const isOf = (sign: PlaceholderModel) => (spec: Record<string, unknown>) => spec['sign'] === sign

/** Plugin that shows upload placeholders in the rich view. */
export const uploadPlaceholders = () =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction, signs) {
        const next = signs.map(transaction.mapping, transaction.doc)
        const change = transaction.getMeta(key) as Change | undefined
        if (!change) return next
        if ('end' in change) return next.remove(next.find(undefined, undefined, isOf(change.end)))
        const { begin: sign, at } = change
        const options = { side: 1, key: `upload ${sign.id}`, sign, stopEvent: () => true }
        return next.add(transaction.doc, [Decoration.widget(at, () => sign.toDOM(), options)])
      },
    },
    props: { decorations: (state) => key.getState(state) },
  })

function nodeOf({ name, address, kind }: FileLink): Node {
  return kind === 'image'
    ? schema.nodes.image.create({ src: address, alt: name })
    : schema.text(name, [schema.marks.link.create({ href: address })])
}

/** Inserts the link at `at`. In a paragraph, a link that follows another one is inserted in a new paragraph below. */
function insertLink(state: EditorState, at: number, link: FileLink): Transaction {
  const { tr } = state
  const { parent } = tr.doc.resolve(at)
  if (parent.type.spec.code)
    return tr.insertText(`${link.isNext ? '\n' : ''}${linkSource(link.kind, link.name, link.address)}`, at)
  if (!parent.inlineContent) return tr.insert(at, schema.nodes.paragraph.create(null, nodeOf(link)))
  if (!link.isNext) return tr.insert(at, nodeOf(link))
  if (parent.type === schema.nodes.paragraph) return tr.split(at).insert(at + 2, nodeOf(link))
  return tr.insert(at, [schema.nodes.hard_break.create(), nodeOf(link)])
}

/** Inserts a placeholder at a position; `null` means at the caret. */
export function showRichPlaceholder(
  view: EditorView,
  at: number | null,
  file: PlaceholderFile,
): UploadPlaceholder {
  const sign = new PlaceholderModel(file)
  const place = Math.min(at ?? view.state.selection.head, view.state.doc.content.size)
  view.dispatch(view.state.tr.setMeta(key, { begin: sign, at: place } satisfies Change))
  return {
    progress: (share) => sign.progress(share),
    setFailed: (hasFailed) => sign.setFailed(hasFailed),
    settle: (link) => {
      const found = view.isDestroyed
        ? undefined
        : key.getState(view.state)?.find(undefined, undefined, isOf(sign))[0]
      if (!found) return false
      const transaction = link ? insertLink(view.state, found.from, link) : view.state.tr
      view.dispatch(transaction.setMeta(key, { end: sign } satisfies Change))
      return true
    },
  }
}
