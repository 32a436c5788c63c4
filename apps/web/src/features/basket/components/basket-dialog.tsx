import { Button, Progress } from '@mantine/core'
import { IconFileZip, IconFolder, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  addToBasket,
  type BasketItem,
  clearBasket,
  removeFromBasket,
  useBasket,
} from '../../../domains/transfers/archives/basket.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import {
  cancelPacking,
  dismissPacking,
  isPacking,
  pack,
  type Packer,
  type Packing,
  usePacking,
} from '../../../domains/transfers/archives/packing.ts'
import { downloadArchive } from '../../../domains/transfers/archives/downloads.ts'
import { archivePath } from '../../../domains/transfers/archives/sources.ts'
import { canWriteFiles } from '../../../domains/transfers/archives/targets.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import { focusItem, useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { groupByFolder, packingRisk } from '../basket-groups.ts'
import styles from './basket.module.css'

/** Lists the items of the basket, and packs them into one archive. */
export function BasketDialog({ onClose }: { onClose: () => void }) {
  const { t, language } = useT()
  const items = useBasket()
  const packing = usePacking()
  const [emptied, setEmptied] = useState<readonly BasketItem[]>([])
  const totalBytes = items.reduce((sum, { size }) => sum + size, 0)
  return (
    <Dialog
      title={t('basket.title')}
      isWide
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      {packing && <PackingStatus packing={packing} />}
      {items.length === 0 ? (
        <div className={styles.empty}>
          <p>{t('basket.empty')}</p>
          <p>{t('basket.emptyHint')}</p>
          {emptied.length > 0 && (
            <Button
              size="compact-md"
              variant="default"
              onClick={() => {
                addToBasket(emptied)
                setEmptied([])
              }}
            >
              {t('basket.putBack')}
            </Button>
          )}
        </div>
      ) : (
        <>
          <div className={styles.summary}>
            <span>
              {t('basket.summary', {
                count: items.length,
                number: formatNumber(items.length, language),
                size: formatBytes(totalBytes, language),
              })}
            </span>
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              disabled={isPacking(packing)}
              onClick={() => setEmptied(clearBasket())}
            >
              {t('basket.clear')}
            </Button>
          </div>
          <Groups items={items} />
          <PackForm items={items} totalBytes={totalBytes} isBusy={isPacking(packing)} />
        </>
      )}
    </Dialog>
  )
}

function Groups({ items }: { items: readonly BasketItem[] }) {
  const { t, language } = useT()
  const groups = useRef<HTMLDivElement>(null)
  useKeptFocus(groups)
  return (
    <div ref={groups} className={styles.groups} tabIndex={-1}>
      {groupByFolder(items).map((group) => (
        <section key={group.folder} aria-label={group.folder}>
          <h3 className={styles.folder}>
            <DisplayName name={group.folder} />
          </h3>
          <ul className={styles.list}>
            {group.items.map((item) => (
              <li key={item.path} className={styles.item} {...focusItem(item.path)}>
                {item.isDirectory ? (
                  <IconFolder size={20} aria-hidden />
                ) : (
                  <FileIcon kind={findFileKind({ mimetype: '', filename: item.name })} />
                )}
                <DisplayName className={styles.name} name={item.name} title={item.name} />
                <span className={styles.size}>{formatBytes(item.size, language)}</span>
                <ToolButton
                  label={t('basket.remove', { name: item.name })}
                  icon={<IconX size={18} aria-hidden />}
                  onClick={() => removeFromBasket([item.path])}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

interface PackFormProps {
  items: readonly BasketItem[]
  totalBytes: number
  isBusy: boolean
}

function PackForm({ items, totalBytes, isBusy }: PackFormProps) {
  const { t, language } = useT()
  const [packer, setPacker] = useState<Packer>('server')
  const download = useMutation({ mutationFn: () => downloadByBrowser(items) })
  // If the browser cannot write to a file, it downloads the server's archive itself. The app then does not receive the
  // result.
  const isHandedOver = packer === 'server' && !canWriteFiles()
  const risk = packingRisk({ packer, totalBytes, isInMemory: !canWriteFiles() })
  const start = async () => {
    if (isHandedOver) download.mutate()
    else {
      const packed = await pack(items, packer)
      removeFromBasket(packed.map(({ path }) => path))
    }
  }
  return (
    <div className={styles.form}>
      <SelectField<Packer>
        label={t('basket.packer')}
        description={t(packer === 'server' ? 'basket.serverHint' : 'basket.browserHint')}
        value={packer}
        disabled={isBusy}
        options={[
          { value: 'server', label: t('basket.server') },
          { value: 'browser', label: t('basket.browser') },
        ]}
        onChange={setPacker}
      />
      {risk && (
        <Banner tone="warning">
          {t(`basket.risk.${risk}`, { size: formatBytes(totalBytes, language) })}
        </Banner>
      )}
      {download.isError && <Failure error={download.error} />}
      {download.isSuccess && <Banner tone="info">{t('basket.handedOver')}</Banner>}
      <Button
        leftSection={<IconFileZip size={18} aria-hidden />}
        disabled={isBusy}
        loading={download.isPending}
        onClick={() => void start()}
      >
        {t('basket.pack')}
      </Button>
    </div>
  )
}

const downloadByBrowser = (items: readonly BasketItem[]): Promise<void> =>
  downloadArchive({ paths: items.map(archivePath), name: 'dropleaf' })

function PackingStatus({ packing }: { packing: Packing }) {
  const { t, language } = useT()
  const { stage, doneBytes, expectedBytes } = packing
  const isRunning = isPacking(packing)
  const share = expectedBytes > 0 ? Math.min(0.99, doneBytes / expectedBytes) : 0
  const percent = stage === 'completed' ? 100 : Math.floor(share * 100)
  const tone =
    stage === 'failed' ? 'error' : stage === 'completed' && packing.failures.length > 0 ? 'warning' : 'info'
  const words = t(`basket.stages.${stage}`, { name: packing.name, size: formatBytes(doneBytes, language) })
  return (
    <Banner
      tone={tone}
      actions={
        // There is no button while the browser's own file dialog is open, because that dialog has a cancel button.
        stage !== 'choosing' && (
          <Button size="compact-sm" variant="default" onClick={isRunning ? cancelPacking : dismissPacking}>
            {isRunning ? t('common.cancel') : t('common.close')}
          </Button>
        )
      }
    >
      <output className={styles.stage}>{words}</output>
      {isRunning && <Progress value={percent} aria-label={t('basket.progress')} />}
      {stage === 'failed' && <p className={styles.stage}>{errorText(packing.error)}</p>}
      {packing.failures.length > 0 && (
        <details className={styles.failures} open>
          <summary>{t('basket.missing', { count: packing.failures.length })}</summary>
          <ul>
            {packing.failures.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </Banner>
  )
}
