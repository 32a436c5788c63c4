import type { LanguageFacts } from '../language-facts.ts'

/** Defines the text groups; every other language has the same. */
export const chinese = {
  code: 'zh-CN' as const,
  name: '中文',
  date: { month: '2-digit', day: '2-digit' },
  justNow: '刚刚',
  plainBelow: 1000,
  hasBlankAtDigits: true,
  emojiNames: 'chinese',
  words: {
    /** Texts that every page can need. */
    first: async () => (await import('./index.ts')).locale,
    /** Texts of screens for logged-in users. */
    later: async () => (await import('./later.ts')).later,
    /** Texts of the pages that share and show files. */
    files: async () => (await import('./file-words.ts')).fileWords,
    /** Texts of the editor's tools. */
    editor: async () => (await import('./editor-words.ts')).editorWords,
    /** Texts of the actions of readers and owners. */
    textView: async () => (await import('./text-view-words.ts')).textViewWords,
    /**
     * Texts of formatted text, separate from the app's texts, because a shared text can be shown before those are
     * loaded.
     */
    reading: () => import('./reading.ts'),
    /** Texts of shares that require confirmation. */
    opening: () => import('./opening.ts'),
    /** Texts of the page of a bundle. */
    bundle: () => import('./bundle.ts'),
    /** Texts of the page of an encrypted bundle, and of the page about encryption. */
    sealedReading: () => import('./sealed-reading.ts'),
    /** Texts of exports. */
    exports: async () => ({ exports: (await import('./exports.ts')).exportWords }),
    /** Texts of file previews. */
    viewer: () => import('./viewer.ts'),
    /** Texts of the offline and installed app. */
    offline: () => import('./offline.ts'),
    /** Texts of pending changes. */
    queue: () => import('./queue.ts'),
    /** Texts of the palette and of the keyboard map. */
    palette: () => import('./palette.ts'),
    /** Texts of the admin panel. */
    admin: async () => (await import('./admin/index.ts')).adminWords,
  },
} satisfies LanguageFacts & { readonly words: Readonly<Record<string, () => Promise<object>>> }
