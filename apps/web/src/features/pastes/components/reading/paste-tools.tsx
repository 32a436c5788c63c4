import type { ReadablePaste } from '@dropleaf/contract'
import { ActionIcon, Button } from '@mantine/core'
import {
  IconCheck,
  IconCopy,
  IconDots,
  IconDownload,
  IconFileText,
  IconHash,
  IconHistory,
  IconLink,
  IconListTree,
  IconMarkdown,
  IconPencil,
  IconPrinter,
  IconQrcode,
  IconTextWrap,
  IconTextWrapDisabled,
  IconTxt,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { loadWords } from '../../../../i18n/i18n.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { fileNameOf, saveBlob } from '../../../../lib/browser/save-blob.ts'
import { useCopy } from '../../../../ui/buttons/copy-button.tsx'
import { Menu } from '../../../../ui/dialogs/menu.tsx'
import { QrDialog } from '../../../../ui/dialogs/qr-dialog.tsx'
import { ToolButton } from '../../../../ui/buttons/tool-button.tsx'
import { useTextFacts } from '../../../../domains/markdown/prose/use-text-facts.ts'
import { wasAsked } from '../../../../domains/shares/opening/opened-shares.ts'
import { rawAddress, shareAddress } from '../../../../domains/shares/share-address.ts'
import styles from './paste-tools.module.css'
import { usePrint } from './use-print.ts'
import type { Reading } from './use-reading.ts'

const ExportMenu = lazy(async () => {
  const [menu] = await Promise.all([
    import('../../../../domains/markdown/export/export-menu.tsx'),
    loadWords('exports'),
  ])
  return { default: menu.ExportMenu }
})
const GoToLine = lazy(async () => {
  const { GoToLine: Dialog } = await import('./go-to-line.tsx')
  return { default: Dialog }
})
const VersionsDialog = lazy(async () => {
  const { VersionsDialog: Dialog } = await import('../versions/versions-dialog.tsx')
  return { default: Dialog }
})

interface PasteToolsProps {
  paste: ReadablePaste
  /** Password that the reader has typed, if any. The raw URL also needs this password. */
  password: string | null
  reading: Reading
  hasOutline: boolean
  /** Actions of the owner; `null` if the user may not change the text. */
  owner: { readonly onEdit: () => void; readonly onRestored: () => void } | null
}

type Opened = 'qr' | 'line' | 'versions'

export function PasteTools({ paste, password, reading, hasOutline, owner }: PasteToolsProps) {
  const { t } = useT()
  const { isCopied, copy } = useCopy()
  const [opened, setOpened] = useState<Opened | null>(null)
  const isMarkdown = reading.format === 'markdown'
  const title = useTextFacts(isMarkdown ? paste.content : '')?.title
  const shownTitle = title ?? paste.remark ?? paste.slug
  const print = usePrint({ text: paste.content, title: shownTitle, isMarkdown })
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('paste.actions')}>
      <Button
        className={styles.copy ?? ''}
        variant="light"
        size="compact-md"
        h={34}
        leftSection={isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
        onClick={() => void copy(paste.content, t('paste.textCopied'))}
      >
        {t('paste.copyText')}
      </Button>
      <ToolButton
        label={t('paste.copyLink')}
        icon={<IconLink size={20} aria-hidden />}
        onClick={() => void copy(shareAddress(paste.slug), t('paste.linkCopied'))}
      />
      <ToolButton
        label={isMarkdown ? t('paste.showPlain') : t('paste.showMarkdown')}
        icon={isMarkdown ? <IconTxt size={20} aria-hidden /> : <IconMarkdown size={20} aria-hidden />}
        onClick={() => reading.setFormat(isMarkdown ? 'plain' : 'markdown')}
      />
      {hasOutline && (
        <ToolButton
          label={reading.isOutlineOpen ? t('textView.hideOutline') : t('textView.showOutline')}
          icon={<IconListTree size={20} aria-hidden />}
          isExpanded={reading.isOutlineOpen}
          onClick={() => reading.showOutline(!reading.isOutlineOpen)}
        />
      )}
      {!isMarkdown && <WrapButton reading={reading} />}
      {owner && (
        <ToolButton
          label={t('paste.edit')}
          icon={<IconPencil size={20} aria-hidden />}
          onClick={owner.onEdit}
        />
      )}
      {isMarkdown && (
        <Suspense fallback={<span className={styles.waiting} />}>
          <ExportMenu read={() => paste.content} title={shownTitle} />
        </Suspense>
      )}
      <More
        paste={paste}
        password={password}
        isPlain={!isMarkdown}
        isOwner={owner !== null}
        onOpen={setOpened}
        onPrint={() => void print()}
      />
      <ToolDialogs
        opened={opened}
        paste={paste}
        reading={reading}
        owner={owner}
        onClose={() => setOpened(null)}
      />
    </div>
  )
}

function WrapButton({ reading: { isWrapped, wrap } }: { reading: Reading }) {
  const { t } = useT()
  const Icon = isWrapped ? IconTextWrapDisabled : IconTextWrap
  return (
    <ToolButton
      label={isWrapped ? t('textView.noWrap') : t('textView.wrap')}
      icon={<Icon size={20} aria-hidden />}
      onClick={() => wrap(!isWrapped)}
    />
  )
}

interface ToolDialogsProps extends Pick<PasteToolsProps, 'paste' | 'reading' | 'owner'> {
  opened: Opened | null
  onClose: () => void
}

function ToolDialogs({ opened, paste, reading, owner, onClose }: ToolDialogsProps) {
  return (
    <>
      {opened === 'qr' && <QrDialog url={shareAddress(paste.slug)} onClose={onClose} />}
      <Suspense>
        {opened === 'line' && (
          <GoToLine
            lineCount={paste.content.replace(/\r?\n$/, '').split('\n').length}
            onGo={(range) => {
              reading.markLines(range)
              onClose()
            }}
            onClose={onClose}
          />
        )}
        {opened === 'versions' && owner && (
          <VersionsDialog
            id={paste.slug}
            content={paste.content}
            onRestored={() => {
              onClose()
              owner.onRestored()
            }}
            onClose={onClose}
          />
        )}
      </Suspense>
    </>
  )
}

interface MoreProps {
  paste: ReadablePaste
  password: string | null
  isPlain: boolean
  isOwner: boolean
  onOpen: (what: Opened) => void
  onPrint: () => void
}

function More({ paste, password, isPlain, isOwner, onOpen, onPrint }: MoreProps) {
  const { t } = useT()
  const isLimited = paste.maxViews !== null && paste.maxViews > 0
  const download = () =>
    saveBlob(
      new Blob([paste.content], { type: `${paste.content_type};charset=utf-8` }),
      fileNameOf(paste.remark ?? '', paste.content_type === 'text/markdown' ? 'md' : 'txt', paste.slug),
    )
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          aria-label={t('textView.more')}
          title={t('textView.more')}
        >
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconDownload size={18} aria-hidden />} onClick={download}>
          {t('textView.download')}
        </Menu.Item>
        {/* The raw link of a share that requires confirmation does not return the text. */}
        {!wasAsked({ kind: 'paste', slug: paste.slug }) && (
          <Menu.Item
            leftSection={<IconFileText size={18} aria-hidden />}
            component="a"
            href={rawAddress(paste.slug, password)}
            target="_blank"
            rel="noopener"
          >
            {t('paste.raw')}
            {isLimited && <span className={styles.hint}>{t('paste.rawCounts')}</span>}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconQrcode size={18} aria-hidden />} onClick={() => onOpen('qr')}>
          {t('common.qrCode')}
        </Menu.Item>
        {isPlain && (
          <Menu.Item leftSection={<IconHash size={18} aria-hidden />} onClick={() => onOpen('line')}>
            {t('textView.goToLine')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPrinter size={18} aria-hidden />} onClick={onPrint}>
          {t('paste.print')}
        </Menu.Item>
        {isOwner && (
          <Menu.Item leftSection={<IconHistory size={18} aria-hidden />} onClick={() => onOpen('versions')}>
            {t('textView.versions.open')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
