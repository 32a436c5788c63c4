import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { useBundles } from '../../../../domains/bundles/bundle-drafts.ts'
import { type BundleSnapshot, hasHalted } from '../../../../domains/bundles/bundle-snapshot.ts'
import type { LinkChoice } from '../../../../domains/bundles/link-choice.ts'
import { BundleRow } from '../../../../domains/bundles/rows/bundle-row.tsx'
import { SealedRowLink } from '../../../../domains/sealed/link/sealed-links.tsx'
import type { EditorTarget } from '../../../../domains/editor/editor-target.ts'
import { findFileKind } from '../../../../domains/preview/kinds/file-kind.ts'
import { rowStatusOf } from '../../../../domains/transfers/rows/row-status.ts'
import rows from '../../../../domains/transfers/rows/rows.module.css'
import { RowFrame, ShareRow } from '../../../../domains/transfers/rows/share-row.tsx'
import { TooLargeRow } from '../../../../domains/transfers/rows/too-large-row.tsx'
import {
  forgetRefusedFiles,
  useRefusedFiles,
} from '../../../../domains/transfers/size-limits/refused-files.ts'
import { sharedFileOf } from '../../../../domains/transfers/uploads/share-file.ts'
import type { UploadEntry } from '../../../../domains/transfers/uploads/upload-store.ts'
import { uploads, useUploads } from '../../../../domains/transfers/uploads/uploads.ts'
import { SegmentedControl } from '../../../../ui/buttons/segmented-control.tsx'
import { ToolButton } from '../../../../ui/buttons/tool-button.tsx'
import { useKeptFocus } from '../../../../ui/focus/focus-restore.ts'
import styles from './home-files.module.css'
import { type HomePick, removeHomePicks, useHomePicks } from '../../../../domains/bundles/home-bundles.ts'

/** Maximum number of waiting files that are listed. */
const LINES_MAX = 100

interface HomeFilesListProps {
  /** `null` until the editor's tools are loaded. */
  target: EditorTarget | null
  isMarkdown: boolean
  choice: LinkChoice
  /**
   * `null` if there is no choice: encrypted files share the link of the text, and the files of a user who is not
   * allowed to share texts get separate links.
   */
  onChoose: ((choice: LinkChoice) => void) | null
  /** Whether the files are encrypted with the text. */
  isSealed: boolean
  onRetry: (entry: UploadEntry) => void
  onRetryBundle: () => void
  /** Gives the waiting files separate links. */
  onMoveOut: () => void
}

/** Whether a bundle has a row. An encrypted text without files has one only after a failure. */
const isListed = (bundle: BundleSnapshot) =>
  bundle.at === 'home' && (bundle.items.length > 0 || hasHalted(bundle))

/** Lists files that were dropped or pasted on the page. The text changes only if the user inserts a file into it. */
export function HomeFilesList(props: HomeFilesListProps) {
  const { t } = useT()
  const { target, isMarkdown, choice, onChoose, isSealed, onRetry, onRetryBundle, onMoveOut } = props
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  const entries = useUploads().filter(({ batch }) => batch.page === 'home')
  const refused = useRefusedFiles()
  const bundles = useBundles().filter(isListed)
  const picks = useHomePicks()
  const inBundles = bundles.reduce((sum, { items }) => sum + items.length, 0)
  const count = entries.length + picks.length + inBundles + refused.length
  useEffect(() => {
    // In newer browsers, `scrollIntoView` returns a promise, which is not a clean-up function. The braces discard the
    // promise.
    if (count > 0) section.current?.scrollIntoView({ block: 'nearest' })
  }, [count])
  if (count + bundles.length === 0) return null
  const ended = entries.filter((entry) => ['success', 'error'].includes(rowStatusOf(entry)))
  const doneCount = ended.filter(({ state }) => state === 'completed').length
  const isCleared = ended.length + picks.length + refused.length > 0
  const clear = () => {
    uploads.forget(ended.map(({ key }) => key))
    removeHomePicks(picks.map(({ id }) => id))
    forgetRefusedFiles(refused.map(({ id }) => id))
  }
  return (
    <section
      ref={section}
      className={styles.files}
      data-home-files
      aria-label={t('files.here.title')}
      tabIndex={-1}
    >
      <output className="dl-sr">
        {entries.length > 0 &&
          ended.length === entries.length &&
          doneCount > 0 &&
          t('files.upload.allDone', { count: doneCount })}
      </output>
      <div className={rows.listHead}>
        <span>{t('files.upload.count', { count })}</span>
        {isCleared && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
            {t('files.upload.clear')}
          </Button>
        )}
      </div>
      {isSealed && <p className={styles.hint}>{t('sealing.oneLink')}</p>}
      {onChoose && (
        <Links
          choice={choice}
          onChoose={onChoose}
          onMoveOut={choice === 'each' && picks.length > 0 ? onMoveOut : null}
        />
      )}
      <ul className={rows.list}>
        {bundles.map((bundle) => (
          <BundleRow key={bundle.key} bundle={bundle} onRetry={onRetryBundle} SealedLink={SealedRowLink} />
        ))}
        {picks.slice(0, LINES_MAX).map((pick) => (
          <PickedRow key={pick.id} pick={pick} target={target} isMarkdown={isMarkdown} />
        ))}
        {picks.length > LINES_MAX && (
          <li className={rows.row}>{t('tasks.moreFiles', { count: picks.length - LINES_MAX })}</li>
        )}
        {entries.map((entry) => (
          <ShareRow
            key={entry.key}
            entry={entry}
            onRetry={() => onRetry(entry)}
            linkTools={target && <InsertButton entry={entry} target={target} isMarkdown={isMarkdown} />}
          />
        ))}
        {refused.map(({ id, ...facts }) => (
          <TooLargeRow key={id} id={id} {...facts} onRemove={() => forgetRefusedFiles([id])} />
        ))}
      </ul>
    </section>
  )
}

interface LinksProps {
  choice: LinkChoice
  onChoose: (choice: LinkChoice) => void
  onMoveOut: (() => void) | null
}

/** Asks whether the files share the link of the text. */
function Links({ choice, onChoose, onMoveOut }: LinksProps) {
  const { t } = useT()
  return (
    <div className={styles.links}>
      <SegmentedControl<LinkChoice>
        isSmall
        label={t('bundling.home.label')}
        value={choice}
        options={[
          { value: 'one', label: t('bundling.home.same') },
          { value: 'each', label: t('bundling.home.own') },
        ]}
        onChange={onChoose}
      />
      <p className={styles.hint}>
        {t(choice === 'one' ? 'bundling.home.sameHint' : 'bundling.home.ownHint')}
      </p>
      {onMoveOut && (
        <Button size="compact-sm" variant="light" onClick={onMoveOut}>
          {t('bundling.home.moveOut')}
        </Button>
      )}
    </div>
  )
}

interface PickedRowProps {
  pick: HomePick
  target: EditorTarget | null
  isMarkdown: boolean
}

/** A file that waits to be shared with the text. */
function PickedRow({ pick: { id, path, picked }, target, isMarkdown }: PickedRowProps) {
  const { t } = useT()
  const { name, size } = picked.file
  const insert = () => {
    const isImage = findFileKind({ mimetype: '', filename: path }) === 'image'
    // Encodes only characters that have a meaning in URLs or Markdown, so that all other characters stay readable.
    const address = path.replaceAll(/[%?#<>\s]/g, encodeURIComponent)
    const text = path.slice(path.lastIndexOf('/') + 1)
    target?.run(
      isMarkdown ? { type: isImage ? 'image' : 'link', address, text } : { type: 'insert', text: path },
    )
    target?.focus()
  }
  return (
    <RowFrame
      id={id}
      name={path}
      status="pending"
      sizeBytes={size}
      state={t('bundling.home.waiting')}
      tools={
        <>
          {target && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={t('bundling.home.insertOne', { name: path })}
              onClick={insert}
            >
              {t('bundling.home.insert')}
            </Button>
          )}
          <ToolButton
            label={t('bundling.home.remove', { name: path })}
            icon={<IconX size={20} aria-hidden />}
            onClick={() => removeHomePicks([id])}
          />
        </>
      }
    >
      {path !== (picked.folder + name).normalize('NFC') && (
        <div className={rows.facts}>{t('bundling.names.changed', { name })}</div>
      )}
    </RowFrame>
  )
}

interface InsertButtonProps {
  entry: UploadEntry
  target: EditorTarget
  isMarkdown: boolean
}

/** Inserts a picture or a link at the caret. */
function InsertButton({ entry: { name, result }, target, isMarkdown }: InsertButtonProps) {
  const { t } = useT()
  const slug = result?.slug
  if (!slug) return null
  const insert = () => {
    const { address, isImage } = sharedFileOf({ name, slug })
    target.run(
      isMarkdown
        ? { type: isImage ? 'image' : 'link', address, text: name }
        : { type: 'insert', text: address },
    )
    target.focus()
  }
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={t('files.here.insertOne', { name })}
      onClick={insert}
    >
      {t('files.here.insert')}
    </Button>
  )
}
