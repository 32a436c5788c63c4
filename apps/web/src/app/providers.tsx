import { MantineProvider } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { i18n } from '../i18n/i18n.ts'
import { FileUploadsContext } from '../domains/editor/uploads/upload-file.ts'
import { colorSchemeManager, cssVariables, theme } from '../ui/theme/theme.ts'
import { fileUploads } from './file-uploads.ts'

export function Providers({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          colorSchemeManager={colorSchemeManager}
          defaultColorScheme="auto"
        >
          <FileUploadsContext value={fileUploads}>{children}</FileUploadsContext>
        </MantineProvider>
      </QueryClientProvider>
    </I18nextProvider>
  )
}
