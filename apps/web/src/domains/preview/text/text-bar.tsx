import { Button } from '@mantine/core'
import { IconArrowBarToDown, IconArrowBarToUp, IconTextWrap } from '@tabler/icons-react'
import type { Encoding } from '../../../lib/text/detect-encoding.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import styles from '../preview-parts.module.css'
import { EncodingSelect } from './encoding-select.tsx'

interface TextBarProps {
  encoding: { readonly shown: Encoding; readonly choose: (encoding: Encoding) => void }
  wrap: { readonly isOn: boolean; readonly toggle: () => void }
  /** Reads the text for copying; `null` for texts that are too long to copy. */
  readText: (() => Promise<string>) | null
  /** Scrolls to the start or end of the text. `null` for a text that is loaded completely. */
  ends: { readonly goTo: (place: 'beginning' | 'end') => void } | null
}

export function TextBar({ encoding, wrap, readText, ends }: TextBarProps) {
  const { t } = useT()
  const { copy } = useCopy()
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('viewer.text.tools')}>
      <EncodingSelect {...encoding} />
      {ends && (
        <>
          <ToolButton
            label={t('viewer.text.goToBeginning')}
            icon={<IconArrowBarToUp size={18} aria-hidden />}
            onClick={() => ends.goTo('beginning')}
          />
          <ToolButton
            label={t('viewer.text.goToEnd')}
            icon={<IconArrowBarToDown size={18} aria-hidden />}
            onClick={() => ends.goTo('end')}
          />
        </>
      )}
      <Button
        size="compact-sm"
        variant={wrap.isOn ? 'light' : 'subtle'}
        color="gray"
        aria-pressed={wrap.isOn}
        leftSection={<IconTextWrap size={16} aria-hidden />}
        onClick={wrap.toggle}
      >
        {t('viewer.text.wrap')}
      </Button>
      {readText && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() =>
            void readText().then(
              (text) => copy(text, t('paste.textCopied')),
              () => undefined,
            )
          }
        >
          {t('preview.copy')}
        </Button>
      )}
    </div>
  )
}
