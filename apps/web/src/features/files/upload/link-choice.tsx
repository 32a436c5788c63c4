import { Button } from '@mantine/core'
import { type LinkChoice, storeLinkChoice } from '../../../domains/bundles/link-choice.ts'
import { renamePicks } from '../../../domains/transfers/uploads/share-picks.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { SegmentedControl } from '../../../ui/buttons/segmented-control.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import type { ItemPaths } from './item-paths.ts'
import styles from '../components/upload.module.css'

interface LinkChoiceProps {
  choice: LinkChoice
  /** Number of chosen files. */
  count: number
  onChoose: (choice: LinkChoice) => void
}

/** Asks whether several files get one link or separate links. */
export function LinkChoiceField({ choice, count, onChoose }: LinkChoiceProps) {
  const { t } = useT()
  return (
    <div className={styles.links}>
      <SegmentedControl<LinkChoice>
        label={t('bundling.links.label')}
        value={choice}
        options={[
          { value: 'one', label: t('bundling.links.one') },
          { value: 'each', label: t('bundling.links.each') },
        ]}
        onChange={(next) => {
          storeLinkChoice('upload', next)
          onChoose(next)
        }}
      />
      <p className={styles.linksHint}>
        {t(choice === 'one' ? 'bundling.links.oneHint' : 'bundling.links.eachHint', { count })}
      </p>
    </div>
  )
}

/** Warns that invalid names must be changed before the start. The button of the banner changes all invalid names. */
export function NamesBanner({ problems, id }: Pick<ItemPaths, 'problems'> & { id: string }) {
  const { t } = useT()
  const fix = () => renamePicks(new Map([...problems].map(([key, { suggestion }]) => [key, suggestion])))
  return (
    <Banner
      tone="error"
      actions={
        <Button id={id} size="compact-md" variant="default" onClick={fix}>
          {t('bundling.names.fixAll')}
        </Button>
      }
    >
      {t('bundling.names.title', { count: problems.size })}
    </Banner>
  )
}
