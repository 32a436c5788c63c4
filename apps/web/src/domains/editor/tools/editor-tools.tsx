import { openSearchPanel } from '@codemirror/search'
import { EditorView } from '@codemirror/view'
import {
  lazy,
  type Ref,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { createPortal } from 'react-dom'
import { loadWords } from '../../../i18n/i18n.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { PlainSelect } from '../../../ui/forms/plain-select.tsx'
import type { MountedEditor } from '../code-mirror/code-mirror.ts'
import type { EditorFrameProps, FrameParts } from '../editor-frame.tsx'
import type { TextDocument } from '../document/text-document.ts'
import type { EditorMode } from '../editor-mode.ts'
import { NO_STATE, type RichTarget } from '../editor-target.ts'
import { FindPanel } from './find-panel.tsx'
import type { SourceHeading } from './headings.ts'
import { ModeSwitch } from './mode-switch.tsx'
import { OutlinePanel } from './outline-panel.tsx'
import { IMPORT_ACCEPT } from '../uploads/read-text-file.ts'
import { syncScrolling } from '../code-mirror/scroll-sync.ts'
import { TextFacts } from './text-facts.tsx'
import { ToolDialogs } from './tool-dialogs.tsx'
import { markdownTools, plainTools, type ToolDialog } from './tool-list.tsx'
import { Toolbar } from './toolbar.tsx'
import { useCodeLook } from '../code-mirror/use-code-look.ts'
import type { ShowPlaceholder } from '../uploads/start-uploads.ts'
import { useIncoming } from '../uploads/use-incoming.ts'
import { useSourceTools } from '../code-mirror/use-source-tools.ts'
import styles from './editor-tools.module.css'

const ExportMenu = lazy(async () => {
  const [menu] = await Promise.all([import('../../markdown/export/export-menu.tsx'), loadWords('exports')])
  return { default: menu.ExportMenu }
})

interface EditorToolsProps extends EditorFrameProps {
  editor: MountedEditor
  parts: FrameParts
  mode: EditorMode
  isNarrow: boolean
  onMode: (mode: EditorMode) => void
  preview: HTMLElement | null
  /** Target of the rich view; `null` in other modes. */
  rich: RichTarget | null
  /** Whether a keyboard shortcut in the rich view has requested the link dialog. */
  isLinkAsked: boolean
  onLinkAsked: (isAsked: boolean) => void
}

/** Lets the pane fill the window. Esc leaves the full-screen view. */
function useFullScreen(pane: HTMLElement) {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    if (!isFull) return undefined
    const page = document.documentElement
    pane.toggleAttribute('data-full', true)
    page.style.setProperty('overflow', 'hidden')
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      setFull(false)
    }
    pane.addEventListener('keydown', onKey)
    return () => {
      pane.toggleAttribute('data-full', false)
      page.style.removeProperty('overflow')
      pane.removeEventListener('keydown', onKey)
    }
  }, [pane, isFull])
  return [isFull, () => setFull(!isFull)] as const
}

/** Reports the current line. This is the line of the caret, or the top visible line after scrolling. */
function followSource(view: EditorView, listener: (line: number) => void) {
  const onScroll = () => {
    const block = view.lineBlockAtHeight(view.scrollDOM.scrollTop + 8)
    listener(view.state.doc.lineAt(block.from).number)
  }
  const onCaret = () => listener(view.state.doc.lineAt(view.state.selection.main.head).number)
  const parts = [
    [view.scrollDOM, 'scroll', onScroll],
    [view.contentDOM, 'keyup', onCaret],
    [view.contentDOM, 'click', onCaret],
  ] as const
  onCaret()
  for (const [element, type, run] of parts) element.addEventListener(type, run, { passive: true })
  return () => {
    for (const [element, type, run] of parts) element.removeEventListener(type, run)
  }
}

interface JumpPlaces {
  readonly mode: EditorMode
  readonly view: EditorView
  readonly pane: HTMLElement
  readonly preview: HTMLElement | null
}

/** Scrolls to a heading in the current mode. */
function jumpTo({ mode, view, pane, preview }: JumpPlaces, heading: SourceHeading, index: number) {
  const shown = mode === 'preview' ? preview : mode === 'rich' ? pane.querySelector('.dl-rich') : null
  if (shown) {
    shown.querySelectorAll('h1, h2, h3, h4, h5, h6')[index]?.scrollIntoView()
    return
  }
  const { from, to } = view.state.doc.line(Math.min(heading.line, view.state.doc.lines))
  view.dispatch({
    selection: { anchor: to },
    effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 8 }),
  })
  view.focus()
}

/** Handles files that are pasted or dropped into the rich view. */
function useRichFiles(rich: RichTarget | null, take: ReturnType<typeof useIncoming>['take']) {
  const takeFiles = useEffectEvent((taken: readonly File[], at: number, isDrop: boolean) => {
    if (rich) take(taken, { isDrop, showSign: (file) => rich.showSign(at, file) })
  })
  useEffect(() => {
    rich?.setTakeFiles((...taken) => takeFiles(...taken))
    return () => rich?.setTakeFiles(null)
  }, [rich])
}

/** Collects the dependencies of the tools: target, state, files, dialogs and language. */
function useTools(props: EditorToolsProps) {
  const { editor, mode, isMarkdown, drafts, onMarkdown, rich } = props
  const [dialog, setDialog] = useState<ToolDialog | null>(null)
  const [imported, setImported] = useState('')
  const files = useIncoming({ editor, isMarkdown, drafts, onMarkdown, onImported: setImported })
  const { target: source, panel } = useSourceTools({
    editor,
    isMarkdown,
    incoming: files.incoming,
    onLink: () => setDialog('link'),
  })
  const target = (mode === 'rich' && rich) || source
  const look = useCodeLook({ editor, isMarkdown, filename: props.filename ?? imported })
  const state = useSyncExternalStore(target.subscribe, target.getState, () => NO_STATE)
  useRichFiles(rich, files.take)
  const { onTarget } = props
  useEffect(() => {
    onTarget?.(target)
    return () => onTarget?.(null)
  }, [onTarget, target])
  const { view } = editor
  const { preview } = props
  useEffect(
    () => (preview && mode === 'split' ? syncScrolling(view, preview) : undefined),
    [view, preview, mode],
  )
  // Copies changes from the rich view to the source editor when the user leaves the rich view.
  useEffect(() => {
    if (mode !== 'rich') editor.follow()
  }, [editor, mode])
  return {
    dialog: props.isLinkAsked ? 'link' : dialog,
    setDialog,
    closeDialog: () => {
      setDialog(null)
      props.onLinkAsked(false)
    },
    signAtCaret: (): ShowPlaceholder =>
      mode === 'rich' && rich
        ? (file) => rich.showSign(null, file)
        : files.signAt(view.state.selection.main.head),
    files,
    panel,
    target,
    look,
    state,
  }
}

export default function EditorTools(props: EditorToolsProps) {
  const { editor, parts, mode, isMarkdown, document, preview } = props
  const { t } = useT()
  const { view } = editor
  const { dialog, setDialog, closeDialog, signAtCaret, files, panel, target, look, state } = useTools(props)
  const [isOutlineOpen, setOutlineOpen] = useState(false)
  const [isFull, toggleFull] = useFullScreen(parts.pane)
  const [picker, setPicker] = useState<HTMLInputElement | null>(null)
  const follow = useCallback((listener: (line: number) => void) => followSource(view, listener), [view])
  const find = () => {
    if (mode === 'preview' || mode === 'rich') props.onMode(props.isNarrow ? 'source' : 'split')
    // The search field exists only after the source is visible.
    requestAnimationFrame(() => openSearchPanel(view))
  }
  const actions = {
    target,
    state,
    open: setDialog,
    find,
    toggleOutline: () => setOutlineOpen(!isOutlineOpen),
    isOutlineOpen,
    toggleFull,
    isFull,
    importFile: () => picker?.click(),
    clear: files.clear,
  }
  return (
    <>
      <Toolbar
        tools={isMarkdown ? markdownTools(t, actions) : plainTools(t, actions, look)}
        end={isMarkdown ? <Export document={document} /> : <LanguageSelect look={look} />}
      />
      <ImportField ref={setPicker} onFile={(file) => void files.importFile(file)} />
      {isMarkdown &&
        createPortal(<ModeSwitch mode={mode} isNarrow={props.isNarrow} onMode={props.onMode} />, parts.modes)}
      {createPortal(<TextFacts document={document} target={target} />, parts.foot)}
      {panel && createPortal(<FindPanel view={view} />, panel)}
      {isMarkdown &&
        isOutlineOpen &&
        createPortal(
          <OutlinePanel
            document={document}
            followLine={follow}
            onJump={(heading, index) => jumpTo({ mode, view, pane: parts.pane, preview }, heading, index)}
          />,
          parts.side,
        )}
      <ToolDialogs
        dialog={dialog}
        isMarkdown={isMarkdown}
        target={target}
        files={files}
        signAtCaret={signAtCaret}
        onClose={closeDialog}
      />
    </>
  )
}

function Export({ document }: { document: TextDocument }) {
  return (
    <Suspense>
      <ExportMenu read={document.read} title={null} />
    </Suspense>
  )
}

function LanguageSelect({ look }: { look: ReturnType<typeof useCodeLook> }) {
  const { t } = useT()
  return (
    <PlainSelect
      className={styles.language}
      aria-label={t('editor.language')}
      value={look.language}
      onChange={(event) => look.choose(event.currentTarget.value)}
    >
      <option value="">{t('editor.noLanguage')}</option>
      {look.names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </PlainSelect>
  )
}

interface ImportFieldProps {
  ref: Ref<HTMLInputElement>
  onFile: (file: File) => void
}

/** A hidden file input, opened by a tool. */
function ImportField({ ref, onFile }: ImportFieldProps) {
  const { t } = useT()
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept={IMPORT_ACCEPT}
      aria-label={t('editor.import.label')}
      onChange={(event) => {
        const file = event.currentTarget.files?.[0]
        event.currentTarget.value = ''
        if (file) onFile(file)
      }}
    />
  )
}
