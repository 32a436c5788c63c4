import type { StorageConfig } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import {
  IconCloud,
  IconPencil,
  IconPlugConnected,
  IconServer,
  IconStar,
  IconTrash,
} from '@tabler/icons-react'
import { formatBytes, formatDateTime, formatRelative, formatSpan } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useProviderName } from '../../../domains/storages/provider-name.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { isDisk } from '../models/storage-form.ts'
import type { Verdict } from '../models/test-verdict.ts'
import styles from './storages.module.css'

export interface StorageCommands {
  readonly test: (config: StorageConfig) => void
  readonly setDefault: (config: StorageConfig) => void
  readonly edit: (config: StorageConfig) => void
  readonly remove: (config: StorageConfig) => void
}

interface StorageCardProps {
  config: StorageConfig
  /** Result of the last test since the page was opened. */
  verdict: Verdict | undefined
  commands: StorageCommands
  /** Heading level; 4 if the card is below a heading of the page. */
  level?: 2 | 4
}

/** A storage with its actions. Does not show secrets. */
export function StorageCard({ config, verdict, commands, level = 2 }: StorageCardProps) {
  const { t } = useT()
  const { name } = config
  const onDisk = isDisk(config.provider_type)
  const isDefault = config.is_default === 1
  const nameOfProvider = useProviderName()(config.provider_type)
  const Icon = onDisk ? IconServer : IconCloud
  const Heading = level === 2 ? 'h2' : 'h4'
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <span className={styles.icon}>
          <Icon size={20} aria-hidden />
        </span>
        <div className={styles.titles}>
          <Heading className={styles.name} dir="auto">
            {name}
          </Heading>
          <div className={styles.chips}>
            {isDefault && (
              <span className={styles.chip} data-default>
                {t('storages.default')}
              </span>
            )}
            <span className={styles.chip}>{nameOfProvider}</span>
            <span className={styles.chip}>
              {t(config.is_public === 1 ? 'storages.forKeys' : 'storages.adminOnly')}
            </span>
          </div>
        </div>
      </div>
      <Facts config={config} verdict={verdict} />
      <div className={styles.actions}>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={18} aria-hidden />}
          aria-label={t('storages.testOf', { name })}
          onClick={() => commands.test(config)}
        >
          {t('storages.test')}
        </Button>
        {!isDefault && (
          <ToolButton
            label={t('storages.setDefaultOf', { name })}
            icon={<IconStar size={20} aria-hidden />}
            onClick={() => commands.setDefault(config)}
          />
        )}
        <ToolButton
          label={t('storages.editOf', { name })}
          icon={<IconPencil size={20} aria-hidden />}
          onClick={() => commands.edit(config)}
        />
        <ToolButton
          label={t('storages.deleteOf', { name })}
          icon={<IconTrash size={20} aria-hidden />}
          isDangerous
          onClick={() => commands.remove(config)}
        />
      </div>
    </li>
  )
}

function Facts({ config, verdict }: Pick<StorageCardProps, 'config' | 'verdict'>) {
  const { t, language } = useT()
  const onDisk = isDisk(config.provider_type)
  const time = (instant: string) => formatRelative(instant, language)
  return (
    <dl className={styles.facts}>
      <dt>{t(onDisk ? 'storages.diskFolder' : 'storages.bucket')}</dt>
      <dd>{config.bucket_name}</dd>
      {!onDisk && (
        <>
          <dt data-long>{t('storages.endpoint')}</dt>
          <dd data-long>
            {config.endpoint_url}
            {config.region && ` · ${config.region}`}
            {` · ${t(config.path_style === 1 ? 'storages.pathStyles.path' : 'storages.pathStyles.virtual')}`}
          </dd>
        </>
      )}
      {config.custom_host !== null && (
        <>
          <dt data-long>{t('storages.customHost')}</dt>
          <dd data-long>{config.custom_host}</dd>
        </>
      )}
      <dt>{t('storages.folder')}</dt>
      <dd>{config.default_folder === '' ? t('storages.root') : config.default_folder}</dd>
      <dt>{t('storages.capacity')}</dt>
      <dd>
        {config.total_storage_bytes === null
          ? t('storages.unlimited')
          : formatBytes(config.total_storage_bytes, language)}
      </dd>
      <dt>{t('storages.signedFor')}</dt>
      <dd>{formatSpan(config.signature_expires_in, language)}</dd>
      <dt>{t('storages.lastTest')}</dt>
      <dd>
        {verdict && (
          <span className={styles.verdict} data-verdict={verdict}>
            {t(`storages.testing.verdicts.${verdict}`)}
            {' · '}
          </span>
        )}
        {config.last_used ? (
          <time dateTime={config.last_used} title={formatDateTime(config.last_used, language)}>
            {time(config.last_used)}
          </time>
        ) : (
          t('storages.neverUsed')
        )}
      </dd>
    </dl>
  )
}
