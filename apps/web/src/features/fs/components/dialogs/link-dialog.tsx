import { Button, Input } from '@mantine/core'
import { useState } from 'react'
import { formatDateTime } from '../../../../lib/format.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { CopyButton, useCopy } from '../../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Failure } from '../../../../domains/session/components/failure.tsx'
import { SelectField } from '../../../../ui/forms/select-field.tsx'
import { linkTo } from '../../api/fs.api.ts'
import type { Entry } from '../../models/entries.ts'
import styles from './dialogs.module.css'

const HOUR = 3600
const LIFETIMES = [
  { seconds: HOUR, label: 'hour1' },
  { seconds: 24 * HOUR, label: 'day1' },
  { seconds: 7 * 24 * HOUR, label: 'day7' },
] as const

interface Link {
  readonly url: string
  readonly expiresAt: string
}

/** Creates a link that works for anyone until it expires. */
export function LinkDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { t } = useT()
  const { isCopied, copy } = useCopy()
  const [seconds, setSeconds] = useState<number>(24 * HOUR)
  const [isDownload, setDownload] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [link, setLink] = useState<Link | null>(null)
  const [error, setError] = useState<unknown>(null)
  const create = async () => {
    setBusy(true)
    setError(null)
    try {
      const made = await linkTo(entry.path, { seconds, isDownload })
      setLink(made)
      await copy(made.url)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('explorer.link.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
          <Button loading={isBusy} onClick={() => void create()}>
            {t('explorer.link.submit')}
          </Button>
        </>
      }
    >
      <p className={styles.text}>{t('explorer.link.text', { name: entry.name })}</p>
      <div className={styles.fields}>
        <SelectField
          label={t('explorer.link.lifetime')}
          value={String(seconds)}
          options={LIFETIMES.map(({ seconds: value, label }) => ({
            value: String(value),
            label: t(`common.expiry.${label}`),
          }))}
          onChange={(value) => {
            setSeconds(Number(value))
            setLink(null)
          }}
        />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isDownload}
            onChange={(event) => {
              setDownload(event.currentTarget.checked)
              setLink(null)
            }}
          />
          {t('explorer.link.download')}
        </label>
        {error !== null && <Failure error={error} />}
        <output className="dl-sr">{link && isCopied && t('explorer.link.made')}</output>
        {link && <LinkField {...link} />}
      </div>
    </Dialog>
  )
}

function LinkField({ url, expiresAt }: Link) {
  const { t, language } = useT()
  return (
    <Input.Wrapper
      label={t('explorer.link.made')}
      description={t('explorer.link.until', { date: formatDateTime(expiresAt, language) })}
    >
      <div className={styles.link}>
        <Input
          readOnly
          aria-label={t('explorer.link.made')}
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={url} label={t('common.copy')} />
      </div>
    </Input.Wrapper>
  )
}
