import { TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { languageOf } from '../../../locales/languages.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { type Emoji, emojiGroups, findEmoji } from './emoji.ts'
import styles from './dialogs.module.css'

const FOUND_MAX = 160

/** Shows emoji by group, or the emoji that match a query in English or Chinese. */
export default function EmojiDialog({
  onPick,
  onClose,
}: {
  onPick: (character: string) => void
  onClose: () => void
}) {
  const { t } = useT()
  const [query, setQuery] = useState('')
  const asked = useDeferredValue(query)
  const [group, setGroup] = useState(emojiGroups[0]?.group)
  const isSearch = asked.trim() !== ''
  const shown = isSearch
    ? findEmoji(asked, FOUND_MAX)
    : (emojiGroups.find((candidate) => candidate.group === group)?.emoji ?? [])
  return (
    <Dialog title={t('editor.emoji.title')} onClose={onClose} isWide>
      <TextInput
        label={t('editor.emoji.search')}
        placeholder={t('editor.emoji.hint')}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = isSearch ? shown[0] : undefined
          if (event.key !== 'Enter' || !first) return
          event.preventDefault()
          onPick(first.character)
        }}
      />
      {!isSearch && (
        <fieldset className={styles.groups} aria-label={t('editor.emoji.groups')}>
          {emojiGroups.map((candidate) => (
            <button
              key={candidate.group}
              type="button"
              className={styles.group}
              aria-pressed={candidate.group === group}
              title={t(`editor.emoji.${candidate.group}`)}
              aria-label={t(`editor.emoji.${candidate.group}`)}
              onClick={() => setGroup(candidate.group)}
            >
              {candidate.emoji[0]?.character}
            </button>
          ))}
        </fieldset>
      )}
      {shown.length === 0 && <p className={styles.note}>{t('editor.emoji.none')}</p>}
      <div className={styles.emoji}>
        {shown.map((emoji) => (
          <EmojiButton key={emoji.character} emoji={emoji} onPick={onPick} />
        ))}
      </div>
    </Dialog>
  )
}

function EmojiButton({ emoji, onPick }: { emoji: Emoji; onPick: (character: string) => void }) {
  const { language } = useT()
  const name = emoji[languageOf(language).emojiNames][0] ?? emoji.code
  return (
    <button
      type="button"
      className={styles.one}
      aria-label={name}
      title={`${name} :${emoji.code}:`}
      onClick={() => onPick(emoji.character)}
    >
      {emoji.character}
    </button>
  )
}
