import { lazy, type ReactNode, Suspense, useState } from 'react'
import { loadWords } from '../../i18n/i18n.ts'
import { useT } from '../../i18n/use-translation.ts'
import type { TextDocument } from './document/text-document.ts'
import { useSettledText } from './document/use-document-text.ts'
import type { RelativeFiles } from '../markdown/render/relative-links.ts'
import { LazyProse } from '../markdown/prose/lazy-prose.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import type { EditorWords, MountedEditor } from './code-mirror/code-mirror.ts'
import styles from './editor-frame.module.css'
import { useEditorMode } from './editor-mode.ts'
import type { EditorTarget, RichTarget } from './editor-target.ts'
import { TextEditor } from './text-editor.tsx'

const PREVIEW_DELAY_MS = 250

/** Loads the tools after the editor, because typing does not need them. */
const EditorTools = lazy(async () => {
  const [module] = await Promise.all([import('./tools/editor-tools.tsx'), loadWords('editor')])
  return module
})

const ForeignProse = lazy(async () => {
  const [module] = await Promise.all([import('../preview/text/guarded-prose.tsx'), loadWords('viewer')])
  return { default: module.GuardedProse }
})

const RichEditor = lazy(async () => {
  const [module] = await Promise.all([import('./rich/rich-editor.tsx'), loadWords('editor')])
  return module
})

/** Identifies the text that a draft belongs to. */
export interface DraftPlace {
  readonly place: string
  readonly title: string
}

export interface EditorFrameProps {
  document: TextDocument
  isMarkdown: boolean
  words: EditorWords
  onSubmit: () => void
  /** Content at the start of the bar above the text. */
  lead?: ReactNode
  /** Content at the end of the bar above the text. */
  status?: ReactNode
  takesFocus?: boolean
  /** Whether another user may have written the text. The preview then loads images from other sites only on request. */
  isForeign?: boolean
  /** Files that relative URLs in the text can reference. */
  beside?: RelativeFiles | null
  /** Name of the file, which determines the language for highlighting. */
  filename?: string
  drafts: DraftPlace
  /** Called when a file or draft of the other format has replaced the text. */
  onMarkdown?: ((isMarkdown: boolean) => void) | undefined
  /** Called with the editor that is the target of tools outside the frame; `null` while there is no editor. */
  onTarget?: (target: EditorTarget | null) => void
}

/** Elements of the frame into which the tools render. */
export interface FrameParts {
  readonly pane: HTMLElement
  readonly modes: HTMLElement
  readonly side: HTMLElement
  readonly foot: HTMLElement
}

function useParts() {
  const [editor, setEditor] = useState<MountedEditor | null>(null)
  const [pane, setPane] = useState<HTMLElement | null>(null)
  const [modes, setModes] = useState<HTMLElement | null>(null)
  const [side, setSide] = useState<HTMLElement | null>(null)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const parts = pane && modes && side && foot ? { pane, modes, side, foot } : null
  return { editor, setEditor, parts, setPane, setModes, setSide, setFoot }
}

/**
 * An editor with tools and preview. The mode determines whether the source, the preview, both, or the rich view is
 * visible.
 */
export function EditorFrame(props: EditorFrameProps) {
  const { document, isMarkdown, words } = props
  const { editor, setEditor, parts, setPane, setModes, setSide, setFoot } = useParts()
  const { mode, setMode, isNarrow } = useEditorMode()
  const [rich, setRich] = useState<RichTarget | null>(null)
  const [isLinkAsked, setLinkAsked] = useState(false)
  const [preview, setPreview] = useState<HTMLElement | null>(null)
  const shown = isMarkdown ? mode : 'source'
  return (
    <section ref={setPane} className={styles.pane} aria-label={words.label}>
      <div className={styles.bar} hidden={!isMarkdown && !props.lead && !props.status}>
        {props.lead}
        <div ref={setModes} className={styles.modes} />
        <div className={styles.status}>{props.status}</div>
      </div>
      <div className={styles.tools}>
        {editor && parts && (
          <Suspense fallback={null}>
            <EditorTools
              {...props}
              editor={editor}
              parts={parts}
              mode={shown}
              isNarrow={isNarrow}
              onMode={setMode}
              preview={preview}
              rich={rich}
              isLinkAsked={isLinkAsked}
              onLinkAsked={setLinkAsked}
            />
          </Suspense>
        )}
      </div>
      <div className={styles.panes} data-mode={shown}>
        <div ref={setSide} className={styles.side} />
        <div className={styles.editor} hidden={shown === 'preview' || shown === 'rich'}>
          <TextEditor
            document={document}
            isMarkdown={isMarkdown}
            words={words}
            onSubmit={props.onSubmit}
            takesFocus={props.takesFocus ?? false}
            onEditor={setEditor}
          />
        </div>
        {shown === 'rich' && (
          <Suspense fallback={<Loading />}>
            <RichEditor
              document={document}
              words={words}
              onSubmit={props.onSubmit}
              onTarget={setRich}
              onLink={() => setLinkAsked(true)}
            />
          </Suspense>
        )}
        {(shown === 'split' || shown === 'preview') && (
          <Preview
            document={document}
            onElement={setPreview}
            isForeign={props.isForeign ?? false}
            beside={props.beside ?? null}
          />
        )}
      </div>
      <div ref={setFoot} className={styles.foot} />
    </section>
  )
}

function Loading() {
  const { t } = useT()
  return (
    <div className={styles.preview}>
      <SkeletonLines label={t('common.loading')} />
    </div>
  )
}

interface PreviewProps extends Required<Pick<EditorFrameProps, 'isForeign' | 'beside'>> {
  document: TextDocument
  onElement: (element: HTMLElement | null) => void
}

function Preview({ document, onElement, isForeign, beside }: PreviewProps) {
  const { t } = useT()
  const text = useSettledText(document, PREVIEW_DELAY_MS)
  const isEmpty = text.trim() === ''
  const skeleton = <SkeletonLines label={t('common.loading')} />
  return (
    <section ref={onElement} className={styles.preview} aria-label={t('home.preview')} tabIndex={-1}>
      {isEmpty ? (
        <p className={styles.hint}>{t('home.previewEmpty')}</p>
      ) : (
        <Suspense fallback={skeleton}>
          {isForeign ? (
            <ForeignProse markdown={text} fallback={skeleton} />
          ) : (
            <LazyProse markdown={text} fallback={skeleton} beside={beside} />
          )}
        </Suspense>
      )}
    </section>
  )
}
