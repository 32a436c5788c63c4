import type { PasteContentType } from '@dropleaf/contract'
import { useMemo } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { SegmentedControl } from '../../ui/buttons/segmented-control.tsx'
import { EditorFrame, type EditorFrameProps } from './editor-frame.tsx'

interface EditorPaneProps extends Omit<EditorFrameProps, 'isMarkdown' | 'words' | 'lead' | 'onMarkdown'> {
  contentType: PasteContentType
  onContentType: (contentType: PasteContentType) => void
}

/** Editor of a share's text, as Markdown or plain text. */
export function EditorPane({ contentType, onContentType, ...rest }: EditorPaneProps) {
  const { t } = useT()
  const words = useMemo(
    () => ({ label: t('home.editor'), help: t('home.editorHelp'), placeholder: t('home.placeholder') }),
    [t],
  )
  return (
    <div className="dl-editor-pane">
      <EditorFrame
        {...rest}
        isMarkdown={contentType === 'text/markdown'}
        words={words}
        onMarkdown={(isMarkdown) => onContentType(isMarkdown ? 'text/markdown' : 'text/plain')}
        lead={
          <SegmentedControl
            isSmall
            label={t('home.format')}
            value={contentType}
            options={[
              { value: 'text/markdown', label: t('home.markdown') },
              { value: 'text/plain', label: t('home.plain') },
            ]}
            onChange={onContentType}
          />
        }
      />
    </div>
  )
}
