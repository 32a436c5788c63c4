import type { PasteContentType } from '@dropleaf/contract'
import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import type { TextDocument } from '../../../lib/text-document.ts'
import { useSettledText } from '../../../lib/use-document-text.ts'
import { LazyProse } from '../../../ui/lazy-prose.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { TextEditor } from '../../../ui/text-editor/text-editor.tsx'
import styles from './editor-pane.module.css'

const PREVIEW_MAX_CHARACTERS = 200_000
const PREVIEW_DELAY_MS = 250

interface EditorPaneProps {
  document: TextDocument
  contentType: PasteContentType
  onContentType: (contentType: PasteContentType) => void
  onSubmit: () => void
  /** At the end of the bar above the text. */
  status?: ReactNode
}

type View = 'edit' | 'preview'

/** Editor with its preview: side by side where there is room, one at a time on phones. */
export function EditorPane(props: EditorPaneProps) {
  const { t } = useT()
  const [view, setView] = useState<View>('edit')
  const isMarkdown = props.contentType === 'text/markdown'
  const words = useMemo(
    () => ({ label: t('home.editor'), help: t('home.editorHelp'), placeholder: t('home.placeholder') }),
    [t],
  )
  return (
    <section className={styles.pane} aria-label={t('home.editor')}>
      <div className={styles.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t('home.format')}
          value={props.contentType}
          data={[
            { value: 'text/markdown', label: t('home.markdown') },
            { value: 'text/plain', label: t('home.plain') },
          ]}
          onChange={props.onContentType}
        />
        {isMarkdown && (
          <SegmentedControl
            className={styles.viewSwitch ?? ''}
            size="xs"
            aria-label={t('home.view')}
            value={view}
            data={[
              { value: 'edit', label: t('home.edit') },
              { value: 'preview', label: t('home.preview') },
            ]}
            onChange={setView}
          />
        )}
        <div className={styles.status}>{props.status}</div>
      </div>
      <div
        className={styles.panes}
        data-view={isMarkdown ? view : 'edit'}
        data-split={isMarkdown || undefined}
      >
        <div className={styles.editor}>
          <TextEditor
            document={props.document}
            isMarkdown={isMarkdown}
            words={words}
            onSubmit={props.onSubmit}
          />
        </div>
        {isMarkdown && <Preview document={props.document} />}
      </div>
    </section>
  )
}

function Preview({ document }: { document: TextDocument }) {
  const { t } = useT()
  const text = useSettledText(document, PREVIEW_DELAY_MS)
  const isEmpty = text.trim() === ''
  return (
    <section className={styles.preview} aria-label={t('home.preview')}>
      {isEmpty ? (
        <p className={styles.hint}>{t('home.previewEmpty')}</p>
      ) : (
        <LazyProse
          markdown={text.slice(0, PREVIEW_MAX_CHARACTERS)}
          fallback={<SkeletonLines label={t('common.loading')} />}
        />
      )}
    </section>
  )
}

export function CharacterCount({ document }: { document: TextDocument }) {
  const { t, language } = useT()
  const text = useSettledText(document, PREVIEW_DELAY_MS)
  return <span data-count>{t('home.characters', { count: formatNumber(text.length, language) })}</span>
}
