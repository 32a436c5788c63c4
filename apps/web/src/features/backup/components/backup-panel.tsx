import { useT } from '../../../i18n/use-translation.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { ExportForm } from './export-form.tsx'
import { ImportForm } from './import-form.tsx'

/** Exports and imports the data of the server, without the files in its storages. */
export function BackupPanel() {
  const { t } = useT()
  return (
    <section className={formStyles.panel} aria-labelledby="backup">
      <h2 className={formStyles.subtitle} id="backup">
        {t('backup.title')}
      </h2>
      <p className={formStyles.text}>{t('backup.text')}</p>
      <ExportForm />
      <ImportForm />
    </section>
  )
}
