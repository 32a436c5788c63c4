import { MIB } from '@dropleaf/contract'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { askWorker } from '../reading/ask-worker.ts'
import { readAll } from '../reading/byte-source.ts'
import officeStyles from './office-preview.module.css'
import partStyles from '../preview-parts.module.css'
import { PreviewError } from '../preview-error.ts'
import type { ProviderProps } from '../providers.ts'
import { VirtualTable } from '../table/virtual-table.tsx'
import { usePreviewData } from '../use-preview-data.ts'
import { looksLikeSheet } from './sheet-signature.ts'
import type { SheetReply } from './sheet-data.ts'

const MAX_BYTES = 32 * MIB

/** Shows the sheets of a workbook, parsed in the browser. */
export function SheetPreview({ source, isFull }: ProviderProps) {
  const { t, language } = useT()
  const [chosen, setChosen] = useState(0)
  const sheets = usePreviewData({
    source,
    key: ['sheets', language],
    load: async (signal) => {
      const bytes = await readAll(source, { maxBytes: MAX_BYTES, signal })
      // Checks the signature first, because the library would parse any file as a text table.
      if (!looksLikeSheet(bytes, source.name)) throw new PreviewError('damaged')
      const worker = new Worker(new URL('./sheet.worker.ts', import.meta.url), { type: 'module' })
      const reply = await askWorker<SheetReply>(
        worker,
        { bytes, language },
        { transfer: [bytes.buffer], signal },
      )
      if ('isEncrypted' in reply) throw new PreviewError('encrypted')
      return reply.sheets
    },
  })
  if (!sheets) return <SkeletonLines label={t('preview.loading')} />
  const sheet = sheets[chosen]
  return (
    <div className={partStyles.table}>
      {sheet?.isCut && <Banner tone="info">{t('viewer.sheet.cut')}</Banner>}
      {sheet && sheet.rows.length > 0 ? (
        <VirtualTable
          key={chosen}
          label={sheet.name}
          head={null}
          rows={sheet.rows}
          count={sheet.rows.length}
          firstRow={0}
          isFull={isFull}
        />
      ) : (
        <p className={partStyles.state}>{t('viewer.sheet.empty')}</p>
      )}
      {sheets.length > 1 && (
        <nav className={officeStyles.tabs} aria-label={t('viewer.sheet.sheets')}>
          {sheets.map(({ name }, index) => (
            <button key={name} type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
              <DisplayName name={name} />
            </button>
          ))}
        </nav>
      )}
    </div>
  )
}
