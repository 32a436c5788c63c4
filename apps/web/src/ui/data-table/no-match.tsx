import { Button } from '@mantine/core'
import { IconSearchOff } from '@tabler/icons-react'
import { useT } from '../../i18n/use-translation.ts'
import { goOnAtFilters } from '../focus/focus.ts'
import { PageMessage } from '../feedback/message.tsx'

/** Shown when no row matches the filters. */
export function NoMatch({ onClear }: { onClear: () => void }) {
  const { t } = useT()
  return (
    <PageMessage level={2} icon={<IconSearchOff size={28} aria-hidden />} title={t('table.noMatch')}>
      <Button
        variant="default"
        onClick={() => {
          goOnAtFilters()
          onClear()
        }}
      >
        {t('table.clearFilters')}
      </Button>
    </PageMessage>
  )
}
