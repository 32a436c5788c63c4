import { Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { findFileKind } from '../kinds/file-kind.ts'
import { extensionOf } from '../kinds/file-kind.ts'
import { formatBytes, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { IconFolder } from '@tabler/icons-react'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { FileIcon } from '../kinds/file-icon.tsx'
import partStyles from '../preview-parts.module.css'
import treeStyles from '../tree/virtual-tree.module.css'
import { blamingFile } from '../preview-error.ts'
import type { ProviderProps } from '../providers.ts'
import type { PreviewSource } from '../preview-source.ts'
import { VirtualTree } from '../tree/virtual-tree.tsx'
import { useFault, usePreviewData } from '../use-preview-data.ts'
import type { ArchiveListing } from './archive-entry.ts'
import { archiveRows, type ArchiveRow, openAtFirst, toArchiveTree } from './archive-tree.ts'
import { listGzip, listPlainTar } from './tar.ts'
import { listZip } from './zip.ts'

async function listArchive(
  source: PreviewSource,
  extension: string,
  signal: AbortSignal,
): Promise<ArchiveListing> {
  if (extension === 'tar') return listPlainTar(source, signal)
  if (extension === 'gz' || extension === 'tgz') return listGzip(source, signal)
  return listZip(source, signal)
}

/** Lists the entries of an archive. Reads the content of files only in gzip archives, which allow no skipping. */
export function ArchivePreview({ source, extension, isFull }: ProviderProps) {
  const { t } = useT()
  const form = extension ?? extensionOf(source.name)
  const listing = usePreviewData({
    source,
    key: ['archive', form],
    load: (signal) => listArchive(source, form, signal),
  })
  if (!listing) return <SkeletonLines label={t('preview.loading')} />
  return <GrowingListing first={listing} label={source.name} isFull={isFull} />
}

/** Shows a listing that the user can extend. */
function GrowingListing({ first, label, isFull }: { first: ArchiveListing; label: string; isFull: boolean }) {
  const { t } = useT()
  const throwFault = useFault()
  const [listing, setListing] = useState(first)
  const [isReading, setReading] = useState(false)
  const { readOn } = listing
  const reading = useRef<AbortController>(null)
  useEffect(() => () => reading.current?.abort(), [])
  const goOn = async (read: NonNullable<typeof readOn>) => {
    const { signal } = (reading.current = new AbortController())
    setReading(true)
    try {
      setListing(await blamingFile(() => read(signal)))
    } catch (error) {
      if (!signal.aborted) throwFault(error as Error)
    } finally {
      setReading(false)
    }
  }
  const more = readOn && (
    <Button size="compact-sm" variant="default" loading={isReading} onClick={() => void goOn(readOn)}>
      {t('viewer.archive.more')}
    </Button>
  )
  return <Listing listing={listing} label={label} isFull={isFull} more={more} />
}

interface ListingProps {
  listing: ArchiveListing
  label: string
  isFull: boolean
  more: ReactNode
}

function Listing({ listing: { entries, isComplete }, label, isFull, more }: ListingProps) {
  const { t, language } = useT()
  const root = useMemo(() => toArchiveTree(entries), [entries])
  const [open, setOpen] = useState(() => openAtFirst(root))
  const rows = useMemo(() => archiveRows(root, open), [root, open])
  const files = entries.filter(({ isFolder }) => !isFolder)
  const toggle = ({ id }: ArchiveRow) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <div className={partStyles.table}>
      {!isComplete && (
        <Banner tone="info">
          <Group justify="space-between" gap="xs">
            {t('viewer.archive.cut')}
            {more}
          </Group>
        </Banner>
      )}
      {entries.some(({ isEncrypted }) => isEncrypted) && (
        <Banner tone="info">{t('viewer.archive.encrypted')}</Banner>
      )}
      <p className={partStyles.state}>
        {t('viewer.archive.total', {
          count: files.length,
          number: formatNumber(files.length, language),
          size: formatBytes(root.sizeBytes, language),
        })}
      </p>
      {rows.length === 0 ? (
        <p className={partStyles.state}>{t('viewer.archive.empty')}</p>
      ) : (
        <VirtualTree
          label={label}
          rows={rows}
          isFull={isFull}
          onToggle={toggle}
          renderRow={(row) => <ArchiveLine row={row} />}
        />
      )}
    </div>
  )
}

function ArchiveLine({ row: { node } }: { row: ArchiveRow }) {
  const { t, language } = useT()
  const kind = findFileKind({ mimetype: '', filename: node.name })
  const { entry } = node
  const time = entry?.modifiedAtMs ?? null
  return (
    <>
      <span className={treeStyles.treeIcon}>
        {node.isFolder ? <IconFolder size={18} aria-hidden /> : <FileIcon kind={kind} size={18} />}
      </span>
      <DisplayName className={treeStyles.treeName} name={node.name} title={showInvisible(node.name)} />
      {node.isUnusual && (
        <span className={treeStyles.lock} title={t('viewer.archive.unusual')}>
          <IconAlertTriangle size={15} aria-hidden />
          <span className="dl-sr">{t('viewer.archive.unusual')}</span>
        </span>
      )}
      {entry?.isEncrypted && (
        <span className={treeStyles.lock} title={t('viewer.archive.locked')}>
          <IconLock size={15} aria-hidden />
          <span className="dl-sr">{t('viewer.archive.locked')}</span>
        </span>
      )}
      <span className={treeStyles.treeTime}>{time !== null && formatDateTime(time, language)}</span>
      <span className={treeStyles.treeSize}>{formatBytes(node.sizeBytes, language)}</span>
    </>
  )
}
