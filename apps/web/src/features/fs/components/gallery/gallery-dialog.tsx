import { Button } from '@mantine/core'
import { useId } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { SelectField } from '../../../../ui/forms/select-field.tsx'
import { changeSettings, useSettings } from '../../models/settings.ts'
import { COLUMN_CHOICES, DEFAULT_GALLERY, GAP_MAX_PX } from '../../models/stored-settings.ts'
import styles from '../dialogs/dialogs.module.css'

/** Dialog for the layout of the gallery; changes apply immediately. */
export function GalleryDialog({ onClose }: { onClose: () => void }) {
  const { t } = useT()
  const id = useId()
  const { gallery } = useSettings()
  const isDefault = gallery.columns === DEFAULT_GALLERY.columns && gallery.gapPx === DEFAULT_GALLERY.gapPx
  return (
    <Dialog
      title={t('explorer.gallery.settings')}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="default"
            disabled={isDefault}
            onClick={() => changeSettings({ gallery: DEFAULT_GALLERY })}
          >
            {t('explorer.gallery.reset')}
          </Button>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <div className={styles.fields}>
        <SelectField
          label={t('explorer.gallery.columns')}
          value={String(gallery.columns)}
          options={COLUMN_CHOICES.map((columns) => ({
            value: String(columns),
            label: columns === 0 ? t('explorer.gallery.auto') : String(columns),
          }))}
          onChange={(value) => changeSettings({ gallery: { ...gallery, columns: Number(value) } })}
        />
        <div>
          <label htmlFor={id}>{t('explorer.gallery.gap', { gap: gallery.gapPx })}</label>
          <input
            id={id}
            className={styles.range}
            type="range"
            min={0}
            max={GAP_MAX_PX}
            step={2}
            value={gallery.gapPx}
            onChange={(event) =>
              changeSettings({ gallery: { ...gallery, gapPx: Number(event.currentTarget.value) } })
            }
          />
        </div>
      </div>
    </Dialog>
  )
}
