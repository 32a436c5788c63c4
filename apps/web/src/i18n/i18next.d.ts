import 'i18next'
import type { Locale } from '../locales/zh-CN/index.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    returnNull: false
    contextSeparator: '|'
    resources: { translation: Locale }
  }
}
