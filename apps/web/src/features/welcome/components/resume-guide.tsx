import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useT } from '../../../i18n/use-translation.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { Banner } from '../../../ui/feedback/message.tsx'

/** Links to an unfinished guide. */
export function ResumeGuide() {
  const { t } = useT()
  return (
    <Banner
      tone="info"
      actions={
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <Link to="/admin/welcome" {...props} />}
        >
          {t('welcome.resume.action')}
        </Button>
      }
    >
      {t('welcome.resume.text')}
    </Banner>
  )
}

/** Lets the user restart the guide from the settings. */
export function ReopenGuide() {
  const { t } = useT()
  return (
    <section className={formStyles.panel} aria-labelledby="reopen-guide">
      <h2 className={formStyles.subtitle} id="reopen-guide">
        {t('welcome.reopen.title')}
      </h2>
      <p className={formStyles.text}>{t('welcome.reopen.text')}</p>
      <div className={formStyles.row}>
        <Button variant="default" renderRoot={(props) => <Link to="/admin/welcome" {...props} />}>
          {t('welcome.reopen.action')}
        </Button>
      </div>
    </section>
  )
}
