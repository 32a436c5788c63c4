import { MIB } from '@dropleaf/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { decodeGuessed } from '../../../lib/text/detect-encoding.ts'
import { extensionOf } from '../kinds/file-kind.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { readAll } from '../reading/byte-source.ts'
import partStyles from '../preview-parts.module.css'
import treeStyles from './virtual-tree.module.css'
import type { ProviderProps } from '../providers.ts'
import { TextPreview } from '../text/text-preview.tsx'
import { usePreviewData } from '../use-preview-data.ts'
import { type JsonFault, type JsonRow, jsonRows, openAtFirst, parseJson } from './json-tree.ts'
import { VirtualTree } from './virtual-tree.tsx'

const MAX_BYTES = 32 * MIB
/** Maximum length of a name with its value that is shown without a tooltip. */
const SHORT_LENGTH = 30
const TITLE_LENGTH = 1000
const BY_LINE = new Set(['jsonl', 'ndjson'])

/** Shows JSON as a tree, or as text with the position of the syntax error. */
export function TreePreview(props: ProviderProps) {
  const { source, isFull, onShownAs } = props
  const { t } = useT()
  const parsed = usePreviewData({
    source,
    key: ['json'],
    load: async (signal) => {
      const bytes = await readAll(source, { maxBytes: MAX_BYTES, signal })
      const { text } = await decodeGuessed(bytes, false)
      return parseJson(text, BY_LINE.has(extensionOf(source.name)))
    },
  })
  const isBroken = parsed !== undefined && 'fault' in parsed
  const tellShown = useEffectEvent(() => onShownAs?.('text'))
  useEffect(() => {
    if (isBroken) tellShown()
  }, [isBroken])
  if (!parsed) return <SkeletonLines label={t('preview.loading')} />
  if ('root' in parsed) {
    return (
      <>
        {parsed.hasRepeated && <Banner tone="warning">{t('viewer.tree.repeated')}</Banner>}
        <JsonTree root={parsed.root} label={source.name} isFull={isFull} />
      </>
    )
  }
  return (
    <>
      <div className={partStyles.said}>
        <FaultBanner fault={parsed.fault} />
      </div>
      <TextPreview {...props} />
    </>
  )
}

function FaultBanner({ fault: { line, column } }: { fault: JsonFault }) {
  const { t, language } = useT()
  const place = { line: formatNumber(line, language), column: formatNumber(column, language) }
  return <Banner tone="warning">{t('viewer.tree.invalidAt', place)}</Banner>
}

interface JsonTreeProps {
  root: unknown
  label: string
  isFull: boolean
}

function JsonTree({ root, label, isFull }: JsonTreeProps) {
  const [open, setOpen] = useState(() => openAtFirst(root))
  const rows = useMemo(() => jsonRows(root, open), [root, open])
  const toggle = ({ id }: JsonRow) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <VirtualTree
      label={label}
      rows={rows}
      isFull={isFull}
      onToggle={toggle}
      renderRow={(row) => <JsonValue row={row} />}
    />
  )
}

function JsonValue({ row: { name, kind, text, count, isOpen, isRepeated } }: { row: JsonRow }) {
  const { t, language } = useT()
  const [left, right] = kind === 'array' ? ['[', ']'] : ['{', '}']
  const isBranch = kind === 'array' || kind === 'object'
  const whole = `${name === null ? '' : `${name}: `}${text}`
  return (
    <span
      className={treeStyles.json}
      title={whole.length > SHORT_LENGTH ? whole.slice(0, TITLE_LENGTH) : undefined}
    >
      {name !== null && (
        <b>
          <bdi>{name}</bdi>:
        </b>
      )}
      {isRepeated && (
        <span className={treeStyles.lock} title={t('viewer.tree.repeatedName')}>
          <IconAlertTriangle size={15} aria-hidden />
          <span className="dl-sr">{t('viewer.tree.repeatedName')}</span>
        </span>
      )}
      {isBranch ? (
        <span className={partStyles.muted}>
          {left}
          {isOpen === true ? '' : `${count === 0 ? '' : '…'}${right}`}{' '}
          {count > 0 && t('viewer.tree.count', { count, number: formatNumber(count, language) })}
        </span>
      ) : (
        <bdi data-kind={kind}>{text}</bdi>
      )}
    </span>
  )
}
