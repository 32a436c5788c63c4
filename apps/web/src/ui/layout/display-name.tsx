import { useT } from '../../i18n/use-translation.ts'
import { partsOfName } from '../../lib/text/invisible-characters.ts'
import styles from './display-name.module.css'

interface DisplayNameProps {
  name: string
  className?: string | undefined
  title?: string
}

/** Shows a name that another user has chosen. Isolates its direction, and shows invisible characters. */
export function DisplayName({ name, className, title }: DisplayNameProps) {
  const { t } = useT()
  const parts = partsOfName(name)
  if (!parts.some(({ isUnseen }) => isUnseen)) {
    return (
      <bdi className={className} title={title}>
        {name}
      </bdi>
    )
  }
  return (
    <bdi className={className} title={title}>
      {parts.map(({ at, text, isUnseen }) =>
        isUnseen ? (
          <bdi key={at} className={styles.unseen} title={t('viewer.unseen', { code: text })}>
            {text}
          </bdi>
        ) : (
          <bdi key={at}>{text}</bdi>
        ),
      )}
    </bdi>
  )
}
